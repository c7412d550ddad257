import { Controller } from '@roundtable/core'
import { DataProvider } from '@roundtable/react'
import type { ComponentType } from 'react'
import { api } from './backend.js'

const controller = new Controller({ transport: api.transport })

export const decorators = [
  (Story: ComponentType) => (
    <DataProvider controller={controller}>
      <Story />
    </DataProvider>
  ),
]
