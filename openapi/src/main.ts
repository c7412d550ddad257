import { parseArgs } from 'node:util'
import { DescriptionError } from './description-error.js'
import { type Generated, generate } from './generate.js'

const help = `roundtable-openapi <description> <folder> [options]

Writes the endpoints, entities and lists of an OpenAPI description into a folder.

  <description>            a file or an address, JSON or YAML
  <folder>                 where types.gen.ts and roundtable.gen.ts go

  --base-url <address>     the address of the server (default: the first server of the description)
  --pk <schema=field>      the field with the primary key of a schema; may be repeated
  --same <kind=a,b>        schemas that are one kind of rows; may be repeated
  --dates                  fields of rows with the format date-time are Dates
  --strict                 end with 1 if anything stayed plain
  --help                   this text
`

/**
 * Runs the command.
 *
 * @example
 * ```ts
 * process.exitCode = await main(['openapi.json', 'src/api', '--strict'])
 * ```
 * @returns the code with which the process ends
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'base-url': { type: 'string' },
        pk: { type: 'string', multiple: true, default: [] },
        same: { type: 'string', multiple: true, default: [] },
        dates: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(help)
      return 0
    }
    const [input, output, ...others] = positionals
    if (input === undefined || output === undefined || others.length > 0) {
      throw new TypeError('A description and a folder are needed: roundtable-openapi openapi.json src/api')
    }
    const pk = Object.fromEntries(values.pk.map((text) => pairOf('pk', text)))
    const same = Object.fromEntries(
      values.same.map((text) => pairOf('same', text)).map(([kind, names]) => [kind, names.split(',')]),
    )
    const generated = await generate({ input, output, pk, same, dates: values.dates, baseUrl: values['base-url'] })
    tell(generated)
    return values.strict && generated.report.length > 0 ? 1 : 0
  } catch (error) {
    if (!(error instanceof DescriptionError) && !(error instanceof TypeError)) throw error
    console.error(error.message)
    return 1
  }
}

/** The two parts of `name=value`. */
function pairOf(option: string, text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1 || at === text.length - 1) throw new TypeError(`--${option} takes name=value, found '${text}'`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function tell({ files, operations, kinds, report }: Generated): void {
  for (const { at, message } of report) console.warn(`${at}: ${message}`)
  const rows =
    kinds.length === 0 ? 'no kind of rows' : `${kinds.length} ${kinds.length === 1 ? 'kind' : 'kinds'} of rows`
  console.log(`${operations} operations and ${rows} in ${files.join(' and ')}`)
  if (report.length > 0) console.log(`${report.length} places stayed plain, or need something: they are named above.`)
}
