import { useController, useDLE, useLoading } from '@roundtable/react'
import { useState } from 'react'
import { formOf, PhotoResource, uploadPhoto } from './api.js'
import { errorText } from './error-text.js'

export function Photos() {
  const { data: photos = [] } = useDLE(PhotoResource.getList)
  const controller = useController()
  const [share, setShare] = useState(0)
  const [upload, isUploading, error] = useLoading((file: File) =>
    controller.fetch(uploadPhoto(setShare), formOf(file)),
  )
  return (
    <section>
      <input
        type="file"
        aria-label="Photo"
        onChange={({ target: { files } }) => {
          if (files?.[0]) void upload(files[0])
        }}
      />
      {isUploading && <progress value={share} />}
      {error && <p role="alert">{errorText(error)}</p>}
      <ul>
        {photos.map((photo) => (
          <li key={photo.id}>{photo.name}</li>
        ))}
      </ul>
    </section>
  )
}
