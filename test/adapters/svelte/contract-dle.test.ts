import { contract } from '../contract.js'
import { svelte } from './harness.js'

contract(svelte, 'dle')
