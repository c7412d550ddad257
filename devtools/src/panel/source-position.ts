import type { InspectedCaller } from '@roundtable/core/inspect'

/** A line of the original source. */
export interface SourcePosition {
  /** The name of the file. */
  readonly file: string
  readonly line: number
}

/** The used part of a source map. */
interface SourceMap {
  readonly sources: readonly string[]
  readonly mappings: string
}

const maps = new Map<string, Promise<SourceMap | undefined>>()

/** Returns the position of a caller in its source, by the source map of its file; undefined if there is none. */
export async function sourcePosition({ url, line, column }: InspectedCaller): Promise<SourcePosition | undefined> {
  const loading = maps.get(url) ?? loadMap(url).catch(() => undefined)
  maps.set(url, loading)
  const map = await loading
  return map && find(map, line - 1, column - 1)
}

/** Loads the source map of a file, which development servers send with the file or at another address. */
async function loadMap(url: string): Promise<SourceMap | undefined> {
  if (!/^https?:/.test(url)) return undefined
  const code = await (await fetch(url)).text()
  const reference = [...code.matchAll(/\/\/# sourceMappingURL=(\S+)/g)].at(-1)?.[1]
  if (reference === undefined) return undefined
  const [, encoded] = /^data:application\/json[^,]*;base64,(.*)$/.exec(reference) ?? []
  const text = encoded === undefined ? await (await fetch(new URL(reference, url))).text() : fromBase64(encoded)
  const map = JSON.parse(text) as Partial<SourceMap>
  return typeof map.mappings === 'string' && Array.isArray(map.sources) ? (map as SourceMap) : undefined
}

function fromBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))
}

/** Finds the segment at a position, or the last one before it in its line. Numbers are relative to the previous ones. */
function find({ sources, mappings }: SourceMap, line: number, column: number): SourcePosition | undefined {
  let source = 0
  let sourceLine = 0
  let found: SourcePosition | undefined
  for (const [index, text] of mappings.split(';', line + 1).entries()) {
    let start = 0
    for (const segment of text.split(',')) {
      const [byColumn = 0, bySource, byLine = 0] = numbersOf(segment)
      start += byColumn
      if (bySource === undefined) continue
      source += bySource
      sourceLine += byLine
      if (index !== line || (start > column && found !== undefined)) continue
      found = { file: fileName(sources[source] ?? ''), line: sourceLine + 1 }
    }
  }
  return found?.file ? found : undefined
}

/** Returns the name of a file, without folders and the parameters that a development server adds. */
function fileName(source: string): string {
  return source.replace(/\?.*$/, '').split(/[/\\]/).at(-1) ?? ''
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes a segment: base 64, five bits each, the lowest first; the lowest bit of a number is its sign. */
function numbersOf(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const char of segment) {
    const digit = DIGITS.indexOf(char)
    value += (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}
