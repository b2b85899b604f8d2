/** The service codes of scripts/marks/service-icons.json. A test keeps both lists equal. */
const markedCodes = new Set(
  `
    ab ac am an aq bf bk bo bp bw bz ck cn cw dh dp dr ds dy ee eh et ev ew ex fb fk fu fz gc ge go gq hb hh hs hw
    ig ij ip iq it jg jx ka kc kf kh kt kx lb lf li lo lr ma mb me mh mj mm mt nc nf ni nu nv nz oi ok pd pz qd qf
    qq qv qy qz rc ry sr st tg tn ts tu tw ub uk un vd vi vk vm vy wa wb wx xs xv yn yq yu yy zd zh zj zk zl zo zs
    aaa abb abk abo abq acm acz adr aed afz agp ags ahb ahe ahs aim aiw aiz aja ale alj alq amb aml ane ano aob aom
    aon aor apf aqf aqj arp asp asu atn atp atv atw atz avm avx awy axq ayg ayi ayz azn baq bbg bbi bbl ber bhi bkd
    bky ble blm blr bnc bnl bny bob box bpz bqa bqp brk brl bua bvb bwa bwj bwm bye byh bzg cab cbm cbx ccb ccu
    gr_dh gr_hb gr_sg gr_tl
  `
    .trim()
    .split(/\s+/),
)

/** Returns the URL of a service's logo (24 × 24). Returns null if there is none, so that the page shows a monogram. */
export function serviceMarkUrl(serviceCode: string): string | null {
  return markedCodes.has(serviceCode) ? `/marks/${serviceCode}.svg` : null
}

/** Returns the URL of a country's flag (3 × 2). `iso2` is in capitals, as in the catalogue (`KZ`). */
export function flagUrl(iso2: string): string {
  return `/flags/${iso2}.svg`
}
