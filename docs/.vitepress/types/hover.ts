import { readFileSync } from 'node:fs'
import type { MarkdownOptions } from 'vitepress'
import { SnippetTypes } from './read.js'

type Transformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

/**
 * Shows the types of the names in code that is a file of the snippets. The theme shows them at the pointer and the
 * focus.
 */
export class TypeHover {
  readonly #types = new SnippetTypes()
  #shown: readonly [file: string, part: string] | undefined

  /** Runs the function; the code that is highlighted meanwhile is that file, or the part of it. */
  during<T>(shown: readonly [file: string, part: string] | undefined, highlight: () => T): T {
    this.#shown = shown
    try {
      return highlight()
    } finally {
      this.#shown = undefined
    }
  }

  /** Keeps the types for the next build. */
  save(): void {
    this.#types.save()
  }

  readonly transformer: Transformer = {
    name: 'types',
    preprocess: (code, options) => {
      const text = code.trimEnd()
      if (this.#shown && /\.(?:tsx?|vue|svelte)$/.test(this.#shown[0])) {
        options.decorations = this.#namesIn(this.#shown, text).map(({ start, end, type }) => ({
          start,
          end,
          properties: { 'data-type': type },
        }))
      }
      return text
    },
  }

  /** The names of the file that the text has too, where they are in it. */
  #namesIn([file, part]: readonly [file: string, part: string], text: string) {
    const places = placesOf(readFileSync(file, 'utf8'), part, text)
    return this.#types.of(file).flatMap(({ start, end, text: type }) => {
      const at = places.get(start)
      return at === undefined ? [] : [{ start: at, end: at + end - start, type }]
    })
  }
}

/** Where each character of a file is in the text that shows it, or a part of it with less indentation. */
function placesOf(source: string, part: string, text: string): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  const begin = part && source.search(new RegExp(`^.*#region ${part}\\b`, 'm'))
  const lines = [...source.matchAll(/^.*$/gm)].filter(({ index }) => index >= Number(begin))
  let at = 0
  let next = 0
  for (const shown of text.split('\n')) {
    const found = lines.findIndex(({ 0: line }, index) => index >= next && line.trim() === shown.trim())
    const line = lines[found]
    if (line) {
      const start = line.index + line[0].length - shown.length
      for (let i = 0; i < shown.length; i++) places.set(start + i, at + i)
      next = found + 1
    }
    at += shown.length + 1
  }
  return places
}
