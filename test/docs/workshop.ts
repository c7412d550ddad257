import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** What a compiler says about a file of a workshop. */
export interface Complaint {
  /** Inside the workshop. */
  readonly file: string
  readonly line: number
  readonly message: string
}

/** A folder outside the checkout, in which code is compiled and run as a user's would be, with our packages and theirs. */
export class Workshop {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'roundtable-docs-'))

  constructor() {
    // A link to a folder; on Windows only a junction needs no rights.
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'), 'junction')
    this.write('package.json', JSON.stringify({ type: 'module' }))
    this.write('tsconfig.json', JSON.stringify(tsconfig))
    this.write('tsconfig.svelte.json', JSON.stringify({ ...tsconfig, include: ['*.d.ts', '**/*.svelte'] }))
    this.write('svelte.config.js', 'export default { compilerOptions: { experimental: { async: true } } }\n')
    // svelte-check reads no Vue components; vue-tsc reads them itself and ignores this.
    this.write(
      'vue.d.ts',
      "declare module '*.vue' {\n  const component: import('vue').Component\n  export default component\n}\n",
    )
  }

  /** Writes a file; `line` is where it begins, so that complaints name lines of where it came from. */
  write(file: string, code: string, line = 1): void {
    const path = join(this.folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '\n'.repeat(line - 1) + code)
  }

  /** What the compilers of TypeScript, Vue and Svelte say. */
  async complaints(): Promise<readonly Complaint[]> {
    const config = join(this.folder, 'tsconfig.json')
    const vue = await run('vue-tsc/bin/vue-tsc.js', ['--noEmit', '--pretty', 'false', '-p', config], this.folder)
    const options = [
      '--workspace',
      this.folder,
      '--tsconfig',
      join(this.folder, 'tsconfig.svelte.json'),
      '--output',
      'machine',
      '--fail-on-warnings',
    ]
    const svelte = await run('svelte-check/bin/svelte-check', options, this.folder)
    if (!/ COMPLETED [1-9]\d* FILES/.test(svelte)) throw new Error(`svelte-check did not check:\n${svelte}`)
    return [...fromVue(vue), ...fromSvelte(svelte, this.folder)]
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const tsconfig = {
  // The options with which an editor checks the snippets.
  extends: join(root, 'docs/snippets/tsconfig.json'),
  // Of the root's none.
  files: [],
  include: ['**/*.ts', '**/*.tsx', '**/*.vue', '**/*.svelte'],
  exclude: ['node_modules'],
  vueCompilerOptions: { strictTemplates: true },
}

function fromVue(output: string): readonly Complaint[] {
  return [...output.matchAll(/^(\S.*?)\((\d+),\d+\): error (.*)$/gm)].map(([, file = '', line, message = '']) => ({
    file,
    line: Number(line),
    message,
  }))
}

function fromSvelte(output: string, folder: string): readonly Complaint[] {
  return [...output.matchAll(/^\d+ (?:ERROR|WARNING) "(.*?)" (\d+):\d+ (".*")$/gm)]
    .filter(([, file = '']) => file.endsWith('.svelte'))
    .map(([, file = '', line, message = '']) => ({
      file: file.replace(`${folder}/`, ''),
      line: Number(line),
      message: JSON.parse(message),
    }))
}

function run(script: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], { cwd })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  child.stderr.on('data', (chunk) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}
