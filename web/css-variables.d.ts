import 'react'

/** Custom properties in `style`: `style={{ '--left': '40%' }}`. */
declare module 'react' {
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined
  }
}
