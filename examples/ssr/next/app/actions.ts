'use server'
import { renameIssue } from './api'
import { transport } from './server'

/** Resolves with the API's response: plain data, as Next requires; null if it was empty. */
export async function rename(id: number, title: string): Promise<object | null> {
  return renameIssue.extend({ transport })({ id }, { title })
}
