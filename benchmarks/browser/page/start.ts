import { contenders } from '../contenders.js'
import { Bench } from './bench.js'

const params = new URLSearchParams(location.search)
const declarations = params.get('declarations')
if (declarations === null) {
  const name = params.get('contender')
  const contender = contenders.find((one) => one.name === name)
  if (contender === undefined) throw new Error(`No contender is called ${name}.`)
  const { app } = await contender.load()
  Object.assign(window, { bench: new Bench(app) })
} else {
  // A page that does nothing but declare: what the library's code costs where nothing of it has run.
  const load =
    declarations === 'Roundtable'
      ? () => import('../declarations/roundtable.js')
      : () => import('../declarations/tanstack-query.js')
  Object.assign(window, { declare: async () => (await load()).taken })
}
