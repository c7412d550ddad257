import type { CheckResult, CheckRule } from './options.js'
import { RULES } from './options.js'

/** The end of a rule that is not kept. */
export class Finding {
  readonly verdict: CheckResult['verdict']
  readonly detail: string

  constructor(verdict: CheckResult['verdict'], detail: string) {
    this.verdict = verdict
    this.detail = detail
  }
}

/** Ends a rule: clients would show wrong data. */
export function fails(detail: string): never {
  throw new Finding('fails', detail)
}

/** Ends a rule: it costs something, or cannot be judged. */
export function warns(detail: string): never {
  throw new Finding('warns', detail)
}

/** Ends a rule: there is nothing to check. */
export function skips(detail: string): never {
  throw new Finding('skipped', detail)
}

/** The results by rule. */
export class Report {
  readonly #found = new Map<CheckRule, CheckResult>()

  /** Checks a rule; returns true if the server keeps it, perhaps with a warning. */
  async check(rule: CheckRule, run: () => void | Promise<void>): Promise<boolean> {
    try {
      await run()
      this.add(rule, new Finding('ok', ''))
    } catch (thrown) {
      this.add(rule, thrown instanceof Finding ? thrown : new Finding('fails', messageOf(thrown)))
    }
    return this.isKept(rule)
  }

  /** False for a rule that failed or was not checked, so rules that rely on it cannot be judged. */
  isKept(rule: CheckRule): boolean {
    return /ok|warns/.test(this.#found.get(rule)?.verdict ?? '')
  }

  add(rule: CheckRule, { verdict, detail }: Finding): void {
    this.#found.set(rule, { rule, verdict, detail })
  }

  /** All rules in their order; those that were not checked are skipped. */
  results(reason: string): readonly CheckResult[] {
    return RULES.map((rule) => this.#found.get(rule) ?? { rule, verdict: 'skipped', detail: reason })
  }
}

function messageOf(thrown: unknown): string {
  const { message } = (thrown ?? {}) as { readonly message?: unknown }
  return typeof message === 'string' ? message.replace(/ See node_modules.*$/, '') : String(thrown)
}
