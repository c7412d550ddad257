import { dehydrate } from '@roundtable/core/hydration'
import { getStats } from '$lib/issues'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals: { controller } }) => ({
  stats: controller.fetch(getStats).then(() => dehydrate(controller)),
})
