import { contract } from '../contract.js'
import { vue } from './harness.js'

contract(vue, 'mistakes')
