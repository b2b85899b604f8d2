export const ENTRY_LOOK =
  'grid scroll-mt-20 gap-x-6 gap-y-1 py-3 target:bg-signal-wash md:grid-cols-[15rem_minmax(0,1fr)] md:px-2'
