import { generate } from '@roundtable/openapi'

const { report } = await generate({
  input: 'openapi.yaml',
  output: 'src/api',
  dates: true,
})
for (const { at, message } of report) console.warn(at, message)
