import { Entity, NetworkError, resource } from '@roundtable/core'

export class Photo extends Entity {
  static override key = 'Photo'
  id = 0
  name = ''
}

export const PhotoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/photos/:id',
  schema: Photo,
  body: {} as FormData,
})

/** An endpoint that creates a photo and reports the share that has been sent, from 0 to 1. */
export const uploadPhoto = (onProgress: (share: number) => void) =>
  PhotoResource.create.extend({
    async fetchResponse(input, init) {
      const response = await sendByXhr(String(input), init, onProgress)
      if (!response.ok) throw new NetworkError(response)
      return response
    },
  })

function sendByXhr(
  url: string,
  init: RequestInit,
  onProgress: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init.method ?? 'GET', url)
    new Headers(init.headers).forEach((value, name) => {
      request.setRequestHeader(name, value)
    })
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(loaded / total)
    request.onload = () => {
      const type = request.getResponseHeader('content-type') ?? ''
      resolve(
        new Response(request.responseText || null, {
          status: request.status,
          headers: { 'content-type': type },
        }),
      )
    }
    request.onerror = () => reject(new TypeError('The upload failed'))
    init.signal?.addEventListener('abort', () => {
      request.abort()
      reject(init.signal?.reason)
    })
    request.send(init.body as FormData)
  })
}

/** The body of an upload. */
export function formOf(file: File): FormData {
  const form = new FormData()
  form.set('name', file.name)
  form.set('file', file)
  return form
}
