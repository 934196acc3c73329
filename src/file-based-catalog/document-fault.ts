// Why a stretch of a file is no document.

export interface DocumentFault {
  readonly rule: 'syntax' | 'document-too-large' | 'sqlite-catalog'
  readonly message: string
  /** The reference program's words, with what it puts before them. */
  readonly reference: string
  /** Bytes from the start of the document, as far as known. */
  readonly at: number
}
