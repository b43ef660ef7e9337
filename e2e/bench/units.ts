// Reports use powers of ten, unlike the limits of the product.
export const MB = 1e6
export const GB = 1e9
