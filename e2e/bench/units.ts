// As reports count: in powers of ten, other than the limits of the product.
export const MB = 1e6
export const GB = 1e9
