import { DataProvider } from '@roundtable/react'
import { MockResolver } from '@roundtable/react/testing'
import type { ComponentType } from 'react'
import { pencil, saved } from './fixtures.js'

const fixtures = [pencil, saved]

export const decorators = [
  (Story: ComponentType) => (
    <DataProvider>
      <MockResolver fixtures={fixtures}>
        <Story />
      </MockResolver>
    </DataProvider>
  ),
]
