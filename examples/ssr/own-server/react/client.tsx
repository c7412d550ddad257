import { Controller } from '@roundtable/core'
import { receiveState } from '@roundtable/core/hydration'
import { hydrateRoot } from 'react-dom/client'
import { getStats } from '../issues.js'
import { Page } from './app.js'

const controller = new Controller()
// For the console of a developer, and for tests.
Object.assign(window, { app: { controller, getStats } })

receiveState(controller)
hydrateRoot(document, <Page controller={controller} />)
