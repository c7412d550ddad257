import { contenders } from '../contenders.js'
import { Bench } from './bench.js'

const name = new URLSearchParams(location.search).get('contender')
const contender = contenders.find((one) => one.name === name)
if (contender === undefined) throw new Error(`No contender is called ${name}.`)
const { app } = await contender.load()
Object.assign(window, { bench: new Bench(app) })
