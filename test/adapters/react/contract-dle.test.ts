import { contract } from '../contract.js'
import { inStrictMode, react } from './harness.js'

contract(react, 'dle')
contract(inStrictMode, 'dle')
