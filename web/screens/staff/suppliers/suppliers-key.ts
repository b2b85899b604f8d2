export const SUPPLIERS_KEY = 'staff-suppliers'
export const SUPPLIER_KEY = 'staff-supplier'
