import type { RequestHandler } from './$types'

/** How browsers reach the API: through this server, whose `handleFetch` sends requests on. */
export const fallback: RequestHandler = ({ request, fetch }) => fetch(request)
