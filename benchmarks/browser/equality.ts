import type { Sample } from './page/bench.js'
import type { Scenario } from './scenarios.js'
import type { Tab } from './tab.js'

/** Runs a scenario with everybody, whatever the framework: what is on the screen before and after must be the same text. */
export async function checkEquality(
  tabs: readonly Tab[],
  { name, on, count }: Scenario,
): Promise<ReadonlyMap<Tab, Sample>> {
  const samples = new Map<Tab, Sample>()
  const seen: { readonly who: string; readonly text: string }[] = []
  for (const tab of tabs.filter(({ contender }) => on.includes(contender.framework))) {
    await tab.prepare(name, 0)
    const before = await tab.text()
    samples.set(tab, await tab.act())
    const after = await tab.text()
    await tab.end()
    seen.push({ who: tab.contender.name, text: `${before}\n→\n${after}` })
  }
  const [first] = seen
  const other = seen.find(({ text }) => text !== first?.text)
  if (first === undefined || !first.text.includes(`Issue ${count - 1} `))
    throw new Error(`Nobody shows anything: ${name}`)
  if (other) throw new Error(`${first.who} and ${other.who} differ: ${name}\n${difference(first.text, other.text)}`)
  return samples
}

/** Where two texts begin to differ. */
function difference(one: string, other: string): string {
  let at = 0
  while (one[at] === other[at]) at++
  return [one, other].map((text) => `…${text.slice(Math.max(0, at - 60), at + 60)}…`).join('\n')
}
