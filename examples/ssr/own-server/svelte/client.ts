import { Controller } from '@roundtable/core'
import { fromDocument, hydrate } from '@roundtable/core/hydration'
import { hydrate as hydrateSvelte } from 'svelte'
import { getStats } from '../issues.js'
import App from './app.svelte'

const controller = hydrate(new Controller(), fromDocument())
// For the console of a developer, and for tests.
Object.assign(window, { app: { controller, getStats } })

hydrateSvelte(App, { target: document.getElementById('app') as HTMLElement, props: { controller } })
