import { timeOnce } from './timed.js'

timeOnce((text) => JSON.parse(text as string), true)
