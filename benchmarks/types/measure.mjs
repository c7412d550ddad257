import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const here = dirname(fileURLToPath(import.meta.url))
const file = join(here, 'generated.ts')

/** @type {ts.CompilerOptions} */
const options = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['@roundtable/source'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
}

/** Checks a program that exists in memory only: what it costs the checker, and what is wrong with it. */
export function measure(source) {
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.readFile = (name) => (name === file ? source : readFile(name))
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, options.target) : getSourceFile(name, ...rest)
  const program = ts.createProgram([file, join(here, '../../core/src/globals.d.ts')], options, host)
  const start = performance.now()
  const diagnostics = program.getSemanticDiagnostics(program.getSourceFile(file))
  return {
    milliseconds: performance.now() - start,
    instantiations: program.getInstantiationCount(),
    types: program.getTypeCount(),
    errors: diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  }
}
