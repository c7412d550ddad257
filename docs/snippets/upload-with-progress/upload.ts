import type { Controller } from '@roundtable/core'
import { formOf, uploadPhoto } from './api.js'

export const upload = (
  controller: Controller,
  file: File,
  progress: HTMLProgressElement,
) =>
  controller.fetch(
    uploadPhoto((share) => {
      progress.value = share
    }),
    formOf(file),
  )
