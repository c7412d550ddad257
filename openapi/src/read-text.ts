import { readFile } from 'node:fs/promises'
import { load, YAMLException } from 'js-yaml'
import { DescriptionError } from './description-error.js'

/**
 * Reads a file or an address, and parses its text as JSON or YAML.
 *
 * @example
 * ```ts
 * await readText('openapi.yaml')
 * ```
 * @throws DescriptionError if it is not there, or neither JSON nor YAML
 */
export async function readText(file: string): Promise<unknown> {
  const text = isAddress(file) ? await download(file) : await read(file)
  return parse(text.replace(/^\uFEFF/, ''), file)
}

/**
 * Returns true for `http://…` and `https://…`.
 *
 * @example isAddress('https://api.test/openapi.json') // true
 */
export function isAddress(file: string): boolean {
  return /^https?:\/\//i.test(file)
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const message =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
          ? 'is a folder, not a file'
          : `cannot be read (${code})`
    throw new DescriptionError([{ at: file, message }], { cause })
  }
}

async function download(address: string): Promise<string> {
  const response = await fetch(address).catch((cause: Error) => {
    throw new DescriptionError([{ at: address, message: `cannot be reached (${reasonOf(cause)})` }], { cause })
  })
  if (response.ok) return response.text()
  throw new DescriptionError([{ at: address, message: `the server answers ${response.status} ${response.statusText}` }])
}

/** Returns the reason of an error, which `fetch` puts into the cause. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || message : message
}

function parse(text: string, file: string): unknown {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text)
    } catch (cause) {
      // Text that starts like JSON may be YAML, whose message contains the line.
      return parseYaml(text, file, 'JSON', cause)
    }
  }
  return parseYaml(text, file, 'YAML')
}

function parseYaml(text: string, file: string, language: string, first?: unknown): unknown {
  try {
    return load(text)
  } catch (cause) {
    const { message } = (first ?? cause) as Error
    const mark = cause instanceof YAMLException ? cause.mark : undefined
    const position = /at position (\d+)/.exec(message)?.[1]
    const place =
      position !== undefined ? placeOf(text, Number(position)) : mark ? [mark.line + 1, mark.column + 1] : []
    const reason = cause instanceof YAMLException && !first ? cause.reason : message
    throw new DescriptionError([{ at: [file, ...place].join(':'), message: `is not ${language} (${reason})` }], {
      cause,
    })
  }
}

/** Returns line and column, counted from 1. */
function placeOf(text: string, position: number): readonly number[] {
  const lines = text.slice(0, position).split('\n')
  return [lines.length, (lines.at(-1) ?? '').length + 1]
}
