import { contract } from '../contract.js'
import { plain } from './harness.js'

contract(plain, 'suspense', 'dle', 'known', 'others')
