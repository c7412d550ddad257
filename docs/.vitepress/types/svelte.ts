import { decode } from '@jridgewell/sourcemap-codec'
import type { CodeMapping, LanguagePlugin } from '@vue/language-core'
import { svelte2tsx } from 'svelte2tsx'
import ts from 'typescript'

/** Lets a language service read Svelte components, as the plugin of Vue's tools does for Vue's. */
export const svelteLanguage: LanguagePlugin<string> = {
  getLanguageId: (file) => (file.endsWith('.svelte') ? 'svelte' : undefined),
  createVirtualCode(file, languageId, snapshot) {
    if (languageId !== 'svelte') return undefined
    const source = snapshot.getText(0, snapshot.getLength())
    const { code, map } = svelte2tsx(source, { filename: file, isTsFile: true, version: '5.0.0' })
    const script = {
      id: 'script',
      languageId: 'typescript',
      snapshot: ts.ScriptSnapshot.fromString(code),
      mappings: mappingsOf(map.mappings, source, code),
    }
    return { id: 'component', languageId, snapshot, mappings: [], embeddedCodes: [script] }
  },
  typescript: {
    extraFileExtensions: [{ extension: 'svelte', isMixedContent: true, scriptKind: ts.ScriptKind.Deferred }],
    getServiceScript: ({ embeddedCodes: [code] = [] }) =>
      code && { code, extension: '.ts', scriptKind: ts.ScriptKind.TS },
  },
}

/** One mapping for each stretch of the source that the generated code has unchanged. */
function mappingsOf(encoded: string, source: string, code: string): CodeMapping[] {
  const sourceLines = lineStarts(source)
  const codeLines = lineStarts(code)
  const stretches: { original: number; generated: number; length: number }[] = []
  for (const [line, segments] of decode(encoded).entries()) {
    for (const [column, , fromLine, fromColumn] of segments) {
      if (fromLine === undefined || fromColumn === undefined) continue
      const generated = (codeLines[line] ?? 0) + column
      const original = (sourceLines[fromLine] ?? 0) + fromColumn
      if (code[generated] !== source[original]) continue
      const last = stretches.at(-1)
      const goesOn = last && last.generated + last.length === generated && last.original + last.length === original
      if (goesOn) last.length += 1
      else stretches.push({ original, generated, length: 1 })
    }
  }
  return stretches.map(({ original, generated, length }) => ({
    sourceOffsets: [original],
    generatedOffsets: [generated],
    lengths: [length],
    data: { semantic: true },
  }))
}

function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
}
