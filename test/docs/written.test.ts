import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPages } from '../../docs/.vitepress/written/pages.js'
import { shownCode } from '../../docs/.vitepress/written/snippet.js'
import { writtenText } from '../../docs/.vitepress/written/text.js'

const root = join(import.meta.dirname, '../..')

/** Where a page differs from how the command would write it. */
function outdated(page: string): readonly string[] {
  const source = readFileSync(join(root, page), 'utf8')
  const { text, problems } = writtenText(source, page)
  const lines = text.split('\n')
  const line = source.split('\n').findIndex((each, index) => each !== lines[index])
  const differs = text === source ? [] : [`${page}:${line + 1} is not as \`npm run docs:write\` writes it`]
  return [...problems.map((problem) => `${page}:${problem}`), ...differs]
}

describe('shows what it takes from elsewhere as it is there', () => {
  test.each(readPages)('%s', (page) => {
    expect(outdated(page)).toEqual([])
  })
})

const script = `\`\`\`ts @/snippets/start-script/log.ts
// log.ts
${readFileSync(join(root, 'docs/snippets/start-script/log.ts'), 'utf8')}\`\`\``

describe('npm run docs:write', () => {
  test('writes the code of a snippet in place of the line that names it', () => {
    const { text, problems } = writtenText('Before\n\n<<< @/snippets/start-script/log.ts\n\nAfter\n')
    expect(text).toBe(`Before\n\n${script}\n\nAfter\n`)
    expect(problems).toEqual([])
  })

  test('leaves a page alone that is right', () => {
    const { text } = writtenText(
      '::: react vue\n<<< @/snippets/start-script/log.ts\n:::\n::: svelte\nText\n:::\nMore\n\n- <<< none\n',
    )
    expect(writtenText(text)).toEqual({ text, problems: [] })
  })

  test('writes code that has changed again', () => {
    const { text } = writtenText(`${script.replace('log.ts\n//', 'log.ts\nold()\n//')}\nAfter`)
    expect(text).toBe(`${script}\nAfter`)
  })

  test('keeps the indentation of a list', () => {
    const { text } = writtenText('1. First\n\n   <<< @/snippets/start-script/log.ts\n')
    expect(text).toContain('\n   ```ts @/snippets/start-script/log.ts\n   // log.ts\n   import ')
    expect(writtenText(text).text).toBe(text)
  })

  test('writes above a dialect for which framework it is', () => {
    const { text } = writtenText('Text\n::: react\nFirst\n:::\n::: vue svelte\n\nSecond\n\n:::\nLast\n')
    expect(text).toBe(
      'Text\n\n<!-- ::: react -->\n**React**\n\nFirst\n\n<!-- ::: -->\n\n<!-- ::: vue svelte -->\n**Vue, Svelte**\n\nSecond\n\n<!-- ::: -->\n\nLast\n',
    )
  })

  test('leaves what stands within other code', () => {
    const source = '```md\n<<< @/snippets/start-script/log.ts\n::: react\n```\n\n<!--\n<<< @/snippets/none.ts\n-->\n'
    expect(writtenText(source)).toEqual({ text: source, problems: [] })
  })

  test.each([
    ['<<< @/snippets/start-script/none.ts', '1: docs/snippets/start-script/none.ts does not exist'],
    ['```ts @/snippets/none/log.ts\n```', '1: docs/snippets/none/log.ts does not exist'],
    ['<<< @/snippets/start-script/log.ts#none', "1: docs/snippets/start-script/log.ts has no '#region none'"],
    ['Text\n<<< ./log.ts', "2: '<<< ./log.ts' shows no code: write '<<< @/snippets/FOLDER/FILE'"],
    [
      '```ts [log.ts] @/snippets/start-script/log.ts\n```',
      "1: what is '```ts [log.ts] @/snippets/start-script/log.ts'?",
    ],
    ['```ts @/snippets/start-script/log.ts', '1: the fence is not closed'],
    ['::: react\nText', '1: the dialect is not closed'],
    ['::: react\n::: vue\n:::', '2: a dialect inside of the one of line 1'],
    [
      '::: tip',
      "1: '::: tip' is read as text outside of the site: dialects are react, vue, svelte, script; for a note write '> [!TIP]'",
    ],
  ])('reports %j', (source, problem) => {
    expect(writtenText(source)).toEqual({ text: expect.any(String), problems: [problem] })
  })
})

describe('figures', () => {
  const sizes = JSON.parse(readFileSync(join(root, 'benchmarks/results/size.json'), 'utf8')) as {
    readonly react: number
  }
  const size = (sizes.react / 1000).toFixed(1)

  test('are what the benchmarks have written, within a sentence and in a table', () => {
    const source =
      'It has <!-- =size react -->1<!-- / --> kB.\n\n<!-- figures: sizes -->\nold\n<!-- /figures -->\n\nEnd'
    const { text, problems } = writtenText(source)
    expect(text).toContain(`It has <!-- =size react -->${size}<!-- / --> kB.\n`)
    expect(text).toContain(`<!-- figures: sizes -->\n\n| imports | kB |\n|---|---|\n`)
    expect(text).toMatch(new RegExp(`\\| React, usual: .* \\| ${size} \\|\n[\\s\\S]*\\|\n\n<!-- /figures -->\n\nEnd$`))
    expect([text.includes('old'), problems]).toEqual([false, []])
    expect(writtenText(text)).toEqual({ text, problems: [] })
  })

  test.each([
    ['<!-- figures: none -->\n<!-- /figures -->', "1: no table is called 'none'"],
    ['\n<!-- figures: sizes -->\n| a |', "2: '<!-- figures: sizes -->' has no '<!-- /figures -->'"],
    ['A <!-- =none a -->1<!-- / -->', "1: no figure is called 'none a'"],
    ['A <!-- =size none -->1<!-- / -->', "1: the results of the benchmarks have no 'size none'"],
    ['A <!-- =list none -->1<!-- / -->', "1: the results of the benchmarks have no 'none, list of 100, fetched'"],
  ])('%j is reported', (source, problem) => {
    expect(writtenText(source)).toEqual({ text: source, problems: [problem] })
  })
})

describe('a link to a name of the reference', () => {
  test.each([
    ['[a](/reference/errors#TimeoutError)', '[a](../../core/src/util/errors.ts#TimeoutError)'],
    ['[a](/reference/schemas#schema.Object)', '[a](../../core/src/schemas.ts#schema.Object)'],
    ['[a](/reference/vue#useDLE)', '[a](../../adapters/vue/src/use-dle.ts#useDLE)'],
    ['[a](../../core/src/moved/away.ts#Entity.pk)', '[a](../../core/src/schema/entity.ts#Entity.pk)'],
  ])('%s leads to the source that declares it', (typed, written) => {
    expect(writtenText(typed, 'docs/guides/a.md')).toEqual({ text: written, problems: [] })
    expect(writtenText(written, 'docs/guides/a.md').text).toBe(written)
  })

  test('is reported if no source declares it', () => {
    expect(writtenText('\n[a](/reference/errors#LateError)').problems).toEqual([
      "2: no source declares 'LateError' of '/reference/errors#LateError'",
    ])
  })

  test('stays as it is in code', () => {
    const source = '```md\n[a](/reference/errors#TimeoutError)\n```\n'
    expect(writtenText(source)).toEqual({ text: source, problems: [] })
  })
})

describe('a part of a snippet', () => {
  const shown = (code: string, snippet: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'snippets-'))
    try {
      writeFileSync(join(folder, 'all.ts'), code)
      return shownCode(snippet, folder).lines
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  const code = `a()
{
  // #region first
  b()
    // #region second
    c()
    // #endregion second

  d()
  // #endregion first
}
`

  test('is what stands between its marks, less the indentation that all its lines have', () => {
    expect(shown(code, 'all.ts#first')).toEqual(['b()', '  c()', '', 'd()'])
    expect(shown(code, 'all.ts#second')).toEqual(['c()'])
  })

  test('leaves no marks in the whole, which begins with the name of the file', () => {
    expect(shown(code, 'all.ts')).toEqual(['// all.ts', 'a()', '{', '  b()', '    c()', '', '  d()', '}'])
  })

  test('that does not end is reported', () => {
    expect(() => shown('// #region first\na()', 'all.ts#first')).toThrow("has no '#endregion first'")
  })
})
