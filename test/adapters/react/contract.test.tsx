import { StrictMode } from 'react'
import { contract } from '../contract.js'
import { reactHarness } from './harness.js'

contract(reactHarness('React', (page) => page))
contract(reactHarness('React in StrictMode', (page) => <StrictMode>{page}</StrictMode>))
