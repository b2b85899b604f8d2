import type { CSSProperties, ReactNode } from 'react'

/** What programs show of a letter in their list; less is filled up, or they go on into the letter itself. */
const PREVIEW_LENGTH = 150
/** Takes no place, and is no space that programs would draw together. */
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

/**
 * A box of the whole width, as a table of one cell: Outlook draws letters by Word, which knows padding and colour of cells
 * alone. `style` and `className` are the cell's; `maxWidth` in px is the table's.
 */
export function Box({ style, className, maxWidth, children }: BoxProps & { maxWidth?: number }) {
  return (
    <table
      role="presentation"
      align="center"
      width="100%"
      border={0}
      cellPadding="0"
      cellSpacing="0"
      // Collapsed, a cell has no round corners.
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

/** A link that looks like a button and is one all over. Outlook takes the padding of the cell, others that of the link. */
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

/** The line beside the subject in a list of letters. Not shown in the letter. */
export function Preview({ text }: { text: string }) {
  const shown = text.slice(0, PREVIEW_LENGTH)
  return (
    <div style={HIDDEN}>
      {shown}
      <div>{FILLER.repeat(PREVIEW_LENGTH - shown.length)}</div>
    </div>
  )
}
