import type { Api } from '#contract/calls/calls.ts'
import type { DocumentReply } from '#contract/content.ts'
import type { DocumentName } from '#contract/content-names.ts'

export type DocumentData = DocumentReply['data']

export async function loadDocument(api: Api, name: DocumentName): Promise<DocumentData> {
  return (await api('GET /api/v1/content/documents/{name}', { name })).data
}
