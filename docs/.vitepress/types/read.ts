import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createProxyLanguageService, decorateLanguageServiceHost, resolveFileLanguageId } from '@volar/typescript'
import { createLanguage, createParsedCommandLineByJson, createVueLanguagePlugin, FileMap } from '@vue/language-core'
import ts from 'typescript'
import { svelteLanguage } from './svelte.js'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'docs/snippets')
const cache = join(import.meta.dirname, '../cache/types.json')

/** A name in a file, and what an editor shows for it. */
export interface TypeOfName {
  readonly start: number
  readonly end: number
  /** Its type, and after an empty line the first sentence about it. */
  readonly text: string
}

/**
 * Reads the types of the names in the snippets, of TypeScript, Vue and Svelte: all files are one program, as in an
 * editor. That takes half a minute, so what was read is kept until a snippet, a source or a dependency changes.
 */
export class SnippetTypes {
  readonly #key = keyOfSources()
  readonly #read: Map<string, readonly TypeOfName[]> = restored(this.#key)
  #service: ts.LanguageService | undefined

  /** Keeps what was read for the next build. */
  save(): void {
    mkdirSync(dirname(cache), { recursive: true })
    writeFileSync(cache, JSON.stringify({ key: this.#key, files: [...this.#read] }))
  }

  /** The names in a file that have a type. @param file - its absolute path */
  of(file: string): readonly TypeOfName[] {
    const found = this.#read.get(file) ?? this.#namesIn(file)
    this.#read.set(file, found)
    return found
  }

  #namesIn(file: string): readonly TypeOfName[] {
    this.#service ??= createService()
    const service = this.#service
    return namesIn(readFileSync(file, 'utf8')).flatMap(({ name, start }) => {
      const info = service.getQuickInfoAtPosition(file, start)
      if (info?.textSpan.start !== start || info.textSpan.length !== name.length) return []
      const type = withoutTypeArguments(
        ts.displayPartsToString(info.displayParts).replace(/^\(alias\) |\nimport .*$/g, ''),
        name,
      )
      if (isHtml(type)) return []
      return [{ start, end: start + name.length, text: [type, ...firstSentence(info)].join('\n\n') }]
    })
  }
}

/**
 * What could have a type that explains something: imports say it where they are used, elements of HTML and keywords not
 * at all.
 */
function namesIn(source: string): readonly { readonly name: string; readonly start: number }[] {
  const imports = [...source.matchAll(/^\s*import\b[\s\S]*?from '.*$/gm)]
  const isImport = (at: number) => imports.some(({ 0: text, index }) => at >= index && at < index + text.length)
  return [...source.matchAll(/(?<![\w$])(?<!<\/?(?=[a-z]))[A-Za-z_$][\w$]*/g)].flatMap(({ 0: name, index: start }) =>
    keywords.test(name) || isImport(start) ? [] : [{ name, start }],
  )
}

const keywords =
  /^(?:as|async|await|catch|class|const|else|export|extends|false|for|from|function|if|import|in|let|new|null|of|override|return|static|this|true|try|type|typeof|undefined)$/

function isHtml(type: string): boolean {
  return /IntrinsicElements|HTMLAttributes|svelteHTML|SVGProps|\bAria(?:Attributes|Role)\b/.test(type)
}

/**
 * A call without what its types were inferred to be, which its parameters and its result show again: `useDLE(endpoint: …)`.
 */
function withoutTypeArguments(type: string, name: string): string {
  const start = type.indexOf(`${name}<`) + name.length
  if (start < name.length || /^(?:function|class|interface|type|const) /.test(type)) return type
  let depth = 0
  for (let at = start; at < type.length; at++) {
    if (type[at] === '<') depth++
    else if (type[at] === '>' && type[at - 1] !== '=' && --depth === 0)
      return type[at + 1] === '(' ? type.slice(0, start) + type.slice(at + 1) : type
  }
  return type
}

/** What our comments say; those of the browser's types are left out. */
function firstSentence({ documentation }: ts.QuickInfo): readonly string[] {
  const all = ts.displayPartsToString(documentation)
  const sentence = /^[\s\S]*?[.:](?=\s|$)/.exec(all)?.[0].replace(/\s+/g, ' ').replace(/:$/, '.')
  return sentence && !all.includes('MDN') ? [sentence] : []
}

function restored(key: string): Map<string, readonly TypeOfName[]> {
  if (!existsSync(cache)) return new Map()
  const saved = JSON.parse(readFileSync(cache, 'utf8')) as Saved
  return new Map(saved.key === key ? saved.files : [])
}

interface Saved {
  readonly key: string
  readonly files: readonly (readonly [file: string, names: readonly TypeOfName[]])[]
}

/** A hash of everything that the types follow from. */
function keyOfSources(): string {
  const hash = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(readFileSync(join(root, 'package-lock.json')))
  for (const part of ['docs/snippets', 'core/src', 'adapters/react/src', 'adapters/vue/src', 'adapters/svelte/src']) {
    const files = readdirSync(join(root, part), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    )
    for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
      hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function createService(): ts.LanguageService {
  const config = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile).config
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  const { vueOptions } = createParsedCommandLineByJson(ts, ts.sys, folder, config)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:tsx?|vue|svelte)$/.test(name),
  )
  const shims = ['svelte-shims-v4.d.ts', 'svelte-jsx-v4.d.ts'].map((name) =>
    createRequire(import.meta.url).resolve(`svelte2tsx/${name}`),
  )
  const files = [...names.map((name) => join(folder, name)), ...shims]
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({ ...options, allowNonTsExtensions: true }),
    getScriptFileNames: () => files,
    // Nothing changes while the site is built.
    getProjectVersion: () => '1',
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => snapshotOf(name),
    getScriptKind: (name) => (name.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS),
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    resolveModuleNameLiterals: (literals, file, redirect, settings, source) =>
      literals.map((literal) =>
        ts.resolveModuleName(
          literal.text,
          file,
          settings,
          ts.sys,
          undefined,
          redirect,
          ts.getModeForUsageLocation(source, literal, settings),
        ),
      ),
  }
  const { initialize, proxy } = createProxyLanguageService(ts.createLanguageService(host))
  const vue = createVueLanguagePlugin<string>(ts, options, vueOptions, (file) => file)
  const language = createLanguage<string>(
    [vue, svelteLanguage, { getLanguageId: resolveFileLanguageId }],
    new FileMap(ts.sys.useCaseSensitiveFileNames),
    (file) => {
      const snapshot = snapshotOf(file)
      if (snapshot) language.scripts.set(file, snapshot)
    },
  )
  initialize(language)
  decorateLanguageServiceHost(ts, language, host)
  return proxy
}

function snapshotOf(file: string): ts.IScriptSnapshot | undefined {
  return ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined
}
