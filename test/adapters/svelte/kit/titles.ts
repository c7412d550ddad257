import { RestEndpoint } from '@roundtable/core'

export const getTitle = new RestEndpoint({ path: '/api/title', process: (title: string) => title })
