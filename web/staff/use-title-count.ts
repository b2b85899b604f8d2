import { useEffect } from 'react'

const COUNTED = /^\(\d+\) /

/** Keeps a count such as "(3) " before the tab's title, whoever sets the title; 0 shows none. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    const show = () => {
      const bare = document.title.replace(COUNTED, '')
      const wanted = count === 0 ? bare : `(${count}) ${bare}`
      if (document.title !== wanted) document.title = wanted
    }
    show()
    const observer = new MutationObserver(show)
    observer.observe(document.head, { subtree: true, childList: true, characterData: true })
    return () => {
      observer.disconnect()
      document.title = document.title.replace(COUNTED, '')
    }
  }, [count])
}
