import { logName } from './device/log-name.js'

// Two whole pages beside each other: each has a controller of its own, and all that they share is the log.
const url = `/?log=${logName ?? 'device'}`
for (const frame of document.querySelectorAll('iframe')) frame.src = url
document.querySelector<HTMLAnchorElement>('#back')?.setAttribute('href', url)
