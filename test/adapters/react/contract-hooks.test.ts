import { contract } from '../contract.js'
import { inStrictMode, react } from './harness.js'

contract(react, 'others', 'hooks')
contract(inStrictMode, 'others', 'hooks')
