import { mountActivity } from './activity/activity.js'
import { watchConnection } from './app/connection.js'
import { byId } from './app/element.js'
import { keepFocus } from './app/keep-focus.js'
import { loadTasks } from './app/load-tasks.js'
import { startRetries } from './app/retries.js'
import { startTabs } from './app/tabs.js'
import { startTheme } from './app/theme.js'
import { watchTraffic } from './app/traffic.js'
import { offerWhy } from './app/why.js'
import { mountBoard } from './board/mount.js'
import { controller } from './controller.js'
import { mountDetail } from './detail/mount.js'
import { mountDevice } from './device/mount.js'
import { store } from './device/store.js'
import { mountInsights } from './insights/mount.js'
import { askAfterLostAnswers } from './live/live-changes.js'

// First, so that the tools see all that happens. A build without the flag contains nothing of them.
if (import.meta.env.VITE_DEVTOOLS) offerWhy(controller)

startTheme()
startTabs()
keepFocus()
watchTraffic(controller)
// Data stored on this device is not requested.
await store?.ready
startRetries(controller)
watchConnection(controller)
askAfterLostAnswers(controller)

// The script comes first, so that its log misses nothing.
mountActivity(byId('activity'), controller)
void loadTasks(controller)
mountDevice(byId('device'), controller)
mountBoard(byId('board'), controller)
mountDetail(byId('detail'), controller)
mountInsights(byId('insights'), controller)
