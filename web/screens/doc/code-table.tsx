import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { CopyButton } from '#web/ui/initial/copy-button.tsx'

export type CodeRow = { code: string; name: ReactNode; extra?: string }
type CodeTableProps = {
  rows: readonly CodeRow[]
  caption: string
  codeHead: string
  nameHead: string
  extraHead?: string
}

export function CodeTable({ rows, caption, codeHead, nameHead, extraHead }: CodeTableProps) {
  const t = useTranslations('doc')
  return (
    <div className="relative overflow-x-auto rounded border border-hairline bg-surface">
      <table className="w-full text-[15px]">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-b border-hairline text-left text-sm text-muted">
          <tr>
            <th scope="col" className="py-2 pr-3 pl-4 font-medium">
              {codeHead}
            </th>
            <th scope="col" className="w-full py-2 pr-3 font-medium">
              {nameHead}
            </th>
            {extraHead === undefined ? null : (
              <th scope="col" className="py-2 pr-4 text-right font-medium whitespace-nowrap">
                {extraHead}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ code, name, extra }) => (
            <tr key={code} className="border-b border-hairline last:border-b-0">
              <td className="py-0.5 pr-3 pl-4 whitespace-nowrap">
                <span className="inline-flex items-center gap-1">
                  <code className="font-mono text-[15px]">{code}</code>
                  <CopyButton text={code} label={t('copyCode', { code })} />
                </span>
              </td>
              <td className="py-0.5 pr-3">{name}</td>
              {extraHead === undefined ? null : <td className="tabular py-0.5 pr-4 text-right text-muted">{extra}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
