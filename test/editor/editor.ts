import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')
const file = join(import.meta.dirname, 'code.ts')

/** A compiler error: the underlined text, and its message. */
export interface Complaint {
  readonly at: string
  readonly lines: readonly string[]
}

/** An editor with one file, checked by the TypeScript of this repository as in people's editors. */
export class Editor {
  readonly #before: string
  #code = ''
  #version = 0
  readonly #service: ts.LanguageService

  /** Every code is put behind these lines. */
  constructor(before: string) {
    this.#before = before
    const { options } = ts.parseJsonConfigFileContent(
      ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
      ts.sys,
      root,
    )
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => ({ ...options, types: ['svelte'], jsx: ts.JsxEmit.ReactJSX }),
      getScriptFileNames: () => [file],
      getScriptVersion: (name) => (name === file ? String(this.#version) : '0'),
      getScriptSnapshot: (name) => {
        const text = name === file ? this.#before + this.#code : read(name)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (name) => name === file || ts.sys.fileExists(name),
      readFile: read,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    })
  }

  /** The names that are offered where the code has a `|`. */
  offered(code: string): readonly string[] {
    const [start = '', end = ''] = code.split('|')
    this.#write(start + end)
    const at = this.#before.length + start.length
    return this.#service.getCompletionsAtPosition(file, at, {})?.entries.map(({ name }) => name) ?? []
  }

  /** The errors in the code. */
  complaints(code: string): readonly Complaint[] {
    this.#write(code)
    return this.#service.getSemanticDiagnostics(file).map(({ start = 0, length = 0, messageText }) => ({
      at: (this.#before + code).slice(start, start + length),
      lines: ts.flattenDiagnosticMessageText(messageText, '\n').split('\n'),
    }))
  }

  /** The text of the tooltip at the `|`. */
  hover(code: string): string {
    const [start = '', end = ''] = code.split('|')
    this.#write(start + end)
    const info = this.#service.getQuickInfoAtPosition(file, this.#before.length + start.length)
    return ts.displayPartsToString(info?.displayParts)
  }

  #write(code: string): void {
    this.#code = code
    this.#version++
  }
}

function read(name: string): string | undefined {
  return ts.sys.fileExists(name) ? readFileSync(name, 'utf8') : undefined
}
