import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** Every scenario that was agreed on: races, faults, bad input, hostile input, memory, concurrency, servers, persistence. */
const scenarios = [
  'R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R15 R17 R18 R20',
  'F1 F2 F3 F4 F6 F7 F8 F9 F10 F11 F12 F13 F14 F15 F16 F17 F18 F19 F21 F22 F23',
  'B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 B14 B16 B17 B19 B20',
  'H1 H2 H3 H4 H5 H6 H7 H9 H10 H11 H12 H13 H14 H15 H16 H18',
  'M1 M2 M3 M4 M6 M7 M8 M9 M10',
  'C1 C2 C4 C5 C6 C7 C8 C9 C10 C11 C12 C13 C14',
  'S1 S2 S3 S5 S6 S7 S8 S9',
  'P1 P2 P3 P5 P6 P7 P8',
].flatMap((ids) => ids.split(' '))

const root = join(import.meta.dirname, '..')

/** Type tests number their cases by themselves. */
const isTest = (path: string): boolean => /\.tsx?$/.test(path) && !/node_modules|^types[/\\]/.test(path)

test('each scenario has a test that bears its name, or is on the list of later work', () => {
  const files = (readdirSync(import.meta.dirname, { recursive: true }) as string[]).filter(isTest)
  const texts = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  const tested = new Set(texts.flatMap(namesIn).flatMap(idsOf))
  const later = new Set(laterWork(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')))

  expect(tested.size).toBeGreaterThan(50)
  expect(scenarios.filter((id) => !tested.has(id) && !later.has(id))).toEqual([])
  // A tested scenario must not be on the list.
  expect([...later].filter((id) => tested.has(id) || !scenarios.includes(id))).toEqual([])
})

test('names are read wherever tests are defined, and not of tests that are skipped', () => {
  const text = `
    test('A1: runs', run)
    describe('A2, A3: a group', () => it(\`A4: \${what}\`, run))
    test.each([['A5']])('A6 %s', run)
    for (const name of ['A7 and more']) test(name, run)
    test.${'skip'}('A8: does not', run)
    test.${'todo'}('A9: will be')
    expect('A10: is no test').toBe('A11: either')
    test('tells of A12', run)
  `
  expect(namesIn(text).flatMap(idsOf)).toEqual(['A1', 'A2', 'A3', 'A4', 'A6'])
})

/** The names of the tests and groups of a file; of a name that is put together, what stands before the first value. */
function namesIn(text: string): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTestMaker(node.expression)) {
      const [name] = node.arguments
      if (name && ts.isStringLiteralLike(name)) names.push(name.text)
      else if (name && ts.isTemplateExpression(name)) names.push(name.head.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('test.tsx', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX))
  return names
}

/** `test`, `it` and `describe`, also with `.each(…)`. */
function isTestMaker(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return /^(?:test|it|describe)$/.test(callee.text)
  const isEach = ts.isCallExpression(callee) && ts.isPropertyAccessExpression(callee.expression)
  return isEach && isTestMaker(callee.expression.expression)
}

/** The ids that a name begins with: 'R7, R8: …' has two. */
function idsOf(name: string): string[] {
  return /^[A-Z]\d{1,2}(?:, [A-Z]\d{1,2})*\b/.exec(name)?.[0].split(', ') ?? []
}

/** The ids in bold under "Not yet". */
function laterWork(page: string): string[] {
  const section = page.slice(page.indexOf('## Not yet'))
  return [...section.matchAll(/\*\*([A-Z]\d+)\*\*/g)].map(([, id = '']) => id)
}
