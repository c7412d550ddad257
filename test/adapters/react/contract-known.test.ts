import { contract } from '../contract.js'
import { inStrictMode, react } from './harness.js'

contract(react, 'known')
contract(inStrictMode, 'known')
