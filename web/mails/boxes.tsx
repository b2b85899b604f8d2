import type { CSSProperties, ReactNode } from 'react'

/** The length of the preview in mail programs. They would fill a shorter preview with text of the mail. */
const PREVIEW_LENGTH = 150
/** Invisible characters that mail programs do not collapse like spaces. */
const FILLER = '\u00a0\u200c\u200b\u200d\u200e\u200f\ufeff'
const HIDDEN: CSSProperties = {
  display: 'none',
  overflow: 'hidden',
  lineHeight: '1px',
  opacity: 0,
  maxHeight: 0,
  maxWidth: 0,
}

type BoxProps = { style?: CSSProperties; className?: string; children: ReactNode }

/** Renders a table with one cell, because Outlook supports padding and colour of cells only. `maxWidth` is in px. */
export function Box({ style, className, maxWidth, children }: BoxProps & { maxWidth?: number }) {
  return (
    <table
      role="presentation"
      align="center"
      width="100%"
      border={0}
      cellPadding="0"
      cellSpacing="0"
      // Cells of a collapsed table cannot have round corners.
      style={{ borderCollapse: 'separate', ...(maxWidth !== undefined && { maxWidth }) }}
    >
      <tbody>
        <tr>
          <td className={className} style={style}>
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  )
}

/** Renders a button. Outlook pads its cell and other programs its link, so the whole button can be pressed. */
export function ButtonLink({ href, style, className, children }: BoxProps & { href: string }) {
  const { margin, backgroundColor, borderRadius, ...link } = style ?? {}
  const cell = { backgroundColor, borderRadius, ['msoPaddingAlt' as string]: link.padding }
  return (
    <table
      role="presentation"
      border={0}
      cellPadding="0"
      cellSpacing="0"
      style={{ borderCollapse: 'separate', margin }}
    >
      <tbody>
        <tr>
          <td className={className} style={cell}>
            <a
              href={href}
              target="_blank"
              rel="noreferrer"
              className={className}
              style={{ ...link, display: 'block', borderRadius, textDecoration: 'none' }}
            >
              {children}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
  )
}

export function Preview({ text }: { text: string }) {
  const shown = text.slice(0, PREVIEW_LENGTH)
  return (
    <div style={HIDDEN}>
      {shown}
      <div>{FILLER.repeat(PREVIEW_LENGTH - shown.length)}</div>
    </div>
  )
}
