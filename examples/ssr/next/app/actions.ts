'use server'
import { renameIssue } from './api'
import { transport } from './server'

/** Resolves with what the API responded: plain data, as Next wants it; null if that was empty. */
export async function rename(id: number, title: string): Promise<object | null> {
  return renameIssue.extend({ transport })({ id }, { title })
}
