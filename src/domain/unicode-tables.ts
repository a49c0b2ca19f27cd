// Generated from Unicode 15.1 by `node build/scripts/unicode-tables.js > src/domain/unicode-tables.ts`
// after `npx tsc -p tsconfig.test.json`. Do not edit: a change in what user-name.ts
// reads needs a new mappingVersion. A set lists its edges, a mapping its runs; code-points.ts reads both.

export const unassigned = `
oo 2 6 4 7 1 1 1 k 1 b1 1 12 2 1e 2 3 1 1j 8 r 4 6 b 7i 1 1o 2 2t e 1n 2 1d 2 f 1 s 2 1 1 b 5 v 1 2 6 6k
1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 p 2 3 1 6 4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7
4 1 1 7 h a 3 1 9 1 3 1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3
7 3 4 2 1 5 2 i a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e l 5 d 1 3 1 n 1 g 2 9 1 3 1
4 7 2 1 3 2 1 2 4 2 a 7 m 1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 6 4 g 2 q 1
3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2 3 c 1m 4 t 11 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 w 20
1 10 4 13 1 10 1 f 1 d 11 5i 1 1 5 1 2 ah 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v
2 w 3 q 6 2e 2 6 2 il 3 2h 7 m 9 o 9 k c d 1 3 1 2 c 2m 2 a 6 a 6 q 6 2h 7 17 5 1y a v 1 c 4 c 4 1 3 16 2
5 b 18 4 q 6 b 3 1q 2 1t 1 t 2 b 6 a 6 e 2 v 1d 25 3 1b 1 38 8 1o 3 f 3 1o 7 17 2 b 8 17 5 eu 2 6 2 12 2
6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 1 2t 1 c 2 r 1 d 3 x f x f 3w 4 if p b l 1ec 2 w 1 9p
5 19 1 1 5 1 2 1k 7 2 e o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 3i y q 1 2h c 5y q 28 1 2e 2 2v 5 17 1 2m 1
2c b 1c 1 mlp 3 1j 9 9o k 54 8 5n 5 2 1 1 1 5 o 1n 3 a 6 1k 8 1y 8 c 6 38 b u 3 26 1 b 4 x 1 1j 9 e 2 a 2
2v o s a 6 2 6 2 6 9 7 1 7 1 1o 4 3i 2 a 6 8mc c n 4 1d 4 6su 2 2y 12 7 c 5 5 q 1 5 1 1 1 2 1 2 1 3h g cd
2 1i 7 1 w 16 6 1f 1 j 1 4 4 5 1 3r 2 1 1 5a 3 6 2 6 2 6 2 3 3 7 1 7 a 5 2 c 1 q 1 j 1 2 1 f 2 e y 3f 5 3
4 19 3 2g 1 d 3 1 1b 1a 3m t 3 1d f s 4 10 9 u 5 17 5 u 1 11 4 e 16 4e 2 a 6 10 4 10 4 14 8 1g b c 1 f 1
7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 1 20 8 9 1c j 1 2 5 x 3 r 5 1
1s 1k 4 k 2 1e 1 2 5 8 1 3 1 t 2 3 4 a 7 9 7 1s w 13 4 c 9 1i 3 t 2 r 5 q 7 4 c 7 28 21 1j 1f d 1f 7 1a 8
a 86 v 1 16 1 3 2 2 23 17 8 16 m q 12 s k n 9 26 4 10 9 1w a 1 2 p 7 a 6 1h 1 i 8 13 9 2o 1 k b i 1 1b 1q
7 1 1 1 4 1 f 1 b 6 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 2k 1 5 u 20 8 a
4m 1i 2 12 y 1x b a 6 d j 1m 6 a 1i r 2 f 4 n 55 1o 2s 2b c 8 2 1 2 8 1 2 1 u 1 2 2 c 9 a 1y 8 2 1a 2 b r
20 8 2b d 21 7 a 6u 9 1 19 1 e a t 3 w 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m
p 7 h 1 15 3 s 2e 1 f 1e d pn 2u 33 1 5 b 5g 218 2r d uu 33e g7 6nt ft 7 v 1 a 4 29 1 a 6 u 2 6 a 1y a a
1 7 1 l 5 j j4 2j 2t 23 4 1l 7 h 1s 5 b 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z
5 d 3 9 7 a 2 8 3mk 1a 2 n 9 38 1o 6u a 13 2 5e l 1y 3e k c k c 2f 9 p 3r 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1
1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji f 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34
19 3 e 2 a 4 2 8w v h 1m 5 1 cw 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a 4 2 lt 1w 24 1p 5e 4 1 r 1 2 1 1 2
1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3
1 5 1 h 1g 2 7i 18 4 2s c f 2 f 1 f 1 11 a 4u 1k t d 18 4 9 7 2 e 6 4a rc 4 h 3 d 3 3b 4 2n 6 c 4 1 f c 4
1k 8 a 6 14 8 u 2 2 26 9g c e 2 d 3 9 7 1a 1 7 8 e 4 9 7 9 7 43 1 1j 11 a sm wyo w 37e 6 66 2 4g2 e 5rl f
ha 1wi f2 15u 3t7 5 38g f975 1 u 2o 3k 6o 1e6o 1eke 2 1eke 2
`;

export const allowed = `
x 2m 1t n 1 v 1 1m 2 b 2 8 1 1h 1 1w 9 10 3 58 9 9 4 c q 1 1 1 h 1s 2 1 2 a 1 10 2 2 3 3 1 1 6 1 1 3 1 1
1 k 1 19 7 p 3 1 3 2 1 3s 1 5 2 4m 1 12 2 1 6 13 1 1 8 19 1 1 1 2 1 2 1 1 8 r 4 4 t b 5 w 1 v e 7 4 2j 1
8 2 a 1 6 a 6 g 1n 2 2t e 1i 7 1 2 1a i s 4 b 5 o 1 6 9 22 1 39 8 4 2 a 1 j 1 8 2 2 2 m 1 7 1 1 3 4 2 9 2
2 2 4 8 1 8 4 2 c a 1 1 1 2 3 1 6 4 2 2 m 1 7 1 1 2 1 2 2 2 1 1 5 4 2 2 3 3 1 a 1 9 g b 3 1 9 1 3 1 m 1 7
1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 a 9 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 7 5 2 a 1 1 g 2 1 6 3 3 1
4 3 2 1 1 1 2 3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e a g d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a g 4 1 8
1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 5 5 4 7 5 2 a a 6 1 3 1 i 3 o 1 9 1 1
2 7 3 1 4 6 1 1 1 8 6 a 2 2 d 1e 1 7 5 f 1 a 13 2 1 1 1 5 1 o 1 1 1 c 1 a 2 5 1 1 1 7 1 a 4 2 w 1 a 1 c 2
6 a b 1 1 1 1 1 4 5 1 4 1 4 1 4 1 4 1 4 1 c 1 3 4 2 1 1 5 7 1 3 1 d 1 4 1 4 1 4 1 4 1 4 1 c 1 3 9 1 1l 22
6 26 2 12 1 1 5 1 2 17 2 3 74 21 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 3 w g g
2e 2 6 3 h8 2 h 1 q 5 23 6 8 7 m 9 m b k c d 1 3 1 2 c 1g 2 u 3 1 4 2 2 a 12 a 6 2h 7 17 5 1y a v 1 c 4 c
a 14 2 5 b 18 4 q 6 a 12 s 4 1r 1 t 2 b 6 a d 1 8 e 1 g 1d 25 3 a h 9 c 38 c 1k 8 a 3 1d 2 9 7 17 2 3 g 3
1 13 5 18 3 1 b 1 i 1 s d 1 y 11 62 2 3e 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 i 1 1 1 1 1 1 1 1 1 1 1 1 3 8 8 8
8 8 8 5 1 5 7 3 1 3 1 1 5 3 3 5 5 3 1 7 1 1 5 3 1 3 1 1 5x d 4 1 3 c 1t 1 r 1 1g 2 22j 3g 2 2v 6 9 c 12 1
1 5 1 2 1k n o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 w 1b 1 d1 3 y 4 e 1 4 2e 2 2 2 2 2 2i 1 3 6 17 34 w 1c g
e8 534 1s h3h 1v 1a 2 7h 3 s k 1c 4 a 1 t 2 20 a 2 11 9 2 26 1 o 2 1s 5 2 1 1 1 5 r 3 2 1a 4 1 j 1g c 1y
a a 6 o 3 1 1 1d 2 10 18 1t e b 6 v 1 1j 9 e 2 a 6 n 3 21 o 3 2 g 2 5 a 6 2 6 2 6 9 7 1 7 1 17 5 9 7 3f 1
2 2 a 6 8mc 6sq 2 1 1 1 2 a 1 1 1 1 2 2 3 6s 1 ld g 1v 1 b0 c 1 q 1 j 1 2 1 f 2 e y 3f 76 1 3m t 3 1d f 1
v w d k 1 8 6 17 5 u 2 10 4 8 1c 4e 2 a 6 10 4 10 4 14 8 1g c b 1 f 1 7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8
o 1 3j 6 2 1 1 18 1 2 3 1 2 n a n 9 v 1t j 1 2 a m a q 1y 1k 6 2 1s 4 1 2 5 8 1 3 1 t 2 3 4 1 w t 3 t z 8
1 u p 1i a m a j d i 32 21 1j 1f d 1f d 14 8 a 92 16 1 2 3 2 23 w a 1 8 x v m 16 l r n 9 1z v g 9 1o 7 1
d p 7 a 6 1h 1 a 4 4 8 10 2 1 9 1x 4 4 1 d 1 1 z i 1 11 6 4 1q 7 1 1 1 4 1 f 1 a 7 1n 5 a 6 4 1 8 2 2 2 m
1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 23 5 a 4 4 u 1y 1 1 8 a 4m 1i 2 9 n 6 y 1t 3 1 b a 12 1l 7
a 1i r 2 f 4 a 6 7 55 1n 2t 22 l 8 2 1 2 8 1 2 1 u 1 2 2 9 c a 1y 8 2 1a 2 8 1 2 r 1r 8 1 8 22 3 1 i 21
7b 9 1 19 1 9 f a o u 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m n 9 h 1 15 3 5 d
a 2e 1 27 pm 6e 5g 218 2p f ts g m 33e g7 6nt ft 7 v 1 a 6 27 1 a 6 u 2 5 b 1j 9 4 c a 9 l 5 j j4 1s 3k
23 4 1l 7 h 1s 2 1 2 b 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 3 2
3mp 1a 2 n f2 5 3 6 8 8 2 7 u 4 44 3 1iz 1j 4 1e 8 1 e 1 m 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 2s 1 34 19
3 e 2 a 4 1 8x v h 1m d2 16 km 7 1 4 1 2 1 f 1 5h b 7 15 24 4 a 4h2 wyo w 37e 6 66 2 4g2 e 5rl f ha 3he
3t7 5 38g
`;

export const width = `
9hc 1 1 -9gg 14w1 2m 1 -1ecg 2m 2 1 -168q 2 1 1 -14yn 1 2 1 -14ye 2 1 1 -14yr 1 1 1 -14ru 1 1 1 -14s4 1 1
1 -14ue 1 1 1 -14ud 1 1 1 -14uc 1 1 1 -14ub 1 1 1 -14ua 1 1 1 -14sp 1 1 1 -14so 1 1 1 -14sn 1 1 1 -14to 1
1 1 -14s4 1 1 1 -14un 1 1 1 -14um 1 1 1 -14ul 1 1 1 -14uk 1 2 1 -14uj 2 1 1 -14ui 1 1 1 -14uh 1 1 1 -14ug
1 1 1 -14uf 1 1 1 -14ue 1 1 1 -14ud 1 1 1 -14uc 1 1 1 -14ub 1 1 1 -14ua 1 1 1 -14u9 1 1 1 -14u8 1 1 1
-14u6 1 1 1 -14u5 1 1 1 -14u4 1 6 1 -14u3 6 1 1 -14u1 1 1 1 -14tz 1 1 1 -14tx 1 1 1 -14tv 1 5 1 -14tt 5 1
1 -14ts 1 1 1 -14tr 1 6 1 -14tq 6 1 1 -14tp 1 1 1 -14tm 1 2 1 -14w5 2 1 1 -14qk 1 u 1 -14s0 x 6 1 -14s3 8
6 1 -14s5 8 6 1 -14s7 8 3 1 -14s9 6 2 1 -1ef2 2 1 1 -1eeu 1 1 1 -1ees 1 1 1 -1ef2 1 1 1 -1ef4 1 1 1 -183h
2 1 1 -178m 1 4 1 -17x5 4 1 1 -174d 1 1 1 -1737
`;

export const lower = `
1t q 1 w 3j n 1 w o 7 1 w 14 o 2 1 1e 3 2 1 7 8 2 1 h n 2 1 1a 1 1 -3d 1 3 2 1 8 1 1 5u 1 2 2 1 4 1 1 5q
1 1 1 1 2 2 1 5p 2 1 1 1 3 1 1 27 1 1 1 5m 1 1 1 5n 1 1 1 1 2 1 1 5p 1 1 1 5r 2 1 1 5v 1 1 1 5t 1 1 1 1 4
1 1 5v 1 1 1 5x 2 1 1 5y 1 3 2 1 6 1 1 62 1 1 1 1 2 1 1 62 3 1 1 1 2 1 1 62 1 1 1 1 2 2 1 61 2 2 2 1 4 1
1 63 1 1 1 1 4 1 1 1 8 1 1 2 1 1 1 1 2 1 1 2 1 1 1 1 2 1 1 2 1 9 2 1 j 9 2 1 j 1 1 2 1 2 2 1 4 1 1 -2p 1
1 1 -1k 1 k 2 1 14 1 1 -3m 2 9 2 1 o 1 1 8bv 1 1 1 1 2 1 1 -4j 1 1 1 8bs 3 1 1 1 2 1 1 -5f 1 1 1 1x 1 1 1
1z 1 5 2 1 8a 2 2 1 6 1 1 1 9 1 1 38 7 1 1 12 2 3 1 11 4 1 1 1s 2 2 1 1r 3 h 1 w i 9 1 w 18 1 1 8 9 c 2 1
s 1 1 -1o 3 1 1 1 2 1 1 -7 1 1 1 1 3 3 1 -3m 3 g 1 28 g w 1 w 28 h 2 1 16 r 2 1 1i 1 1 f 1 7 2 1 f 1c 2 1
2p 12 1 1c 29b 12 1 5ls 13 1 1 5ls 6 1 1 5ls k3 28 1 tzk 28 6 1 8 1pc 17 1 -2bk 19 3 1 -2bk 8z 23 2 1 4e
1 1 -5vj 2 1c 2 1 2w 8 1 -8 g 6 1 -8 g 8 1 -8 g 8 1 -8 g 6 1 -8 h 4 2 -8 f 8 1 -8 w 8 1 -8 g 8 1 -8 g 8 1
-8 g 2 1 -8 2 2 1 -22 2 1 1 -9 c 4 1 -2e 4 1 1 -9 c 2 1 -8 2 2 1 -2s e 2 1 -8 2 2 1 -34 2 1 1 -7 c 2 1
-3k 2 2 1 -3i 2 1 1 -9 8a 1 1 -5st 4 1 1 -6gv 1 1 1 -6di 7 1 1 s 1a g 1 g z 1 1 1 mr q 1 q 1fu 1c 1 1c 2o
1 1 1 2 1 1 -8af 1 1 1 -2xy 1 1 1 -89z 3 3 2 1 6 1 1 -8bg 1 1 1 -8al 1 1 1 -8bj 1 1 1 -8bi 2 1 1 1 3 1 1
1 9 2 1 -8cf 2 1e 2 1 2z 2 2 1 7 1 1 1 nym n 2 1 1s e 2 1 4i 7 2 1 g v 2 1 1z 2 2 1 4 1 1 -r9g 1 5 2 1 d
1 1 1 2 1 1 -wmg 3 2 2 1 6 a 2 1 k 1 1 -wn8 1 1 1 -wnj 1 1 1 -wnf 1 1 1 -wn5 1 1 1 -wn8 2 1 1 -wlu 1 1 1
-wmi 1 1 1 -wlx 1 1 1 ps 1 8 2 1 g 1 1 -1c 1 1 1 -wn7 1 1 1 -raw 1 2 2 1 9 1 1 1 6 2 2 1 v 1 1 1 h7w q 1
w yn 14 1 14 4w 10 1 14 5c b 1 13 c f 1 13 g 7 1 13 8 2 1 13 1d8 1f 1 1s 2e8 w 1 w gww w 1 w o8w y 1 y
`;

export const cased = `
1t q 6 q 1b 1 a 1 4 1 5 n 1 v 1 5f 1 4 4 5s 1 10 7 2 u 5 2o 1 16 4 2 2 2 4 1 1 6 1 1 3 1 1 1 k 1 2b 1 3v
8 4m 1 12 9 15 26v 12 1 1 5 1 2 17 1 4 io 2e 2 6 1oi 9 7 17 2 3 1s 5c 1s 7q 2 6 2 12 2 6 2 8 1 1 1 1 1 1
1 v 2 1h 1 7 1 1 3 3 1 7 3 4 2 6 4 d 5 3 1 7 38 1 d 1 g d 2t 1 4 1 2 a 1 1 3 5 6 1 1 1 1 1 1 4 1 6 4 1 2
4 5 5 4 1 h w 3 2 mp 1g 1ee 6d 6 4 3 2 c 12 1 1 5 1 nwy 1a i u 3o 2u 3 4 1 1n 5 2 1 1 1 5 o 5 1 3 mt 17 1
e 6 28 fnk 7 c 5 sp q 6 q x1 28 2o 10 4 10 38 b 1 f 1 7 1 2 1 b 1 f 1 7 1 2 cj 1 2 3 1 16 1 9 xx 1f d 1f
2b1 1s gv4 1s k1s 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 p 1 p 1
v 1 p 1 v 1 p 1 v 1 p 1 v 1 p 1 8 1f8 a 1 k 6 6 79 1q 1oy 1w 1kc q 6 q 6 q
`;

export const caseIgnorable = `
13 1 6 1 b 1 z 1 1 1 1z 1 4 1 1 1 4 1 2 2 dz 5c 4 2 4 1 9 2 1 1 6z 7 5r 1 5 1 1d 19 1 1 1 2 1 2 1 1 18 1
b 6 a b 1 1 z 1 a l g 1 2t 8 1 a 1 4 x 1 1 1 u r 2j b 1m b 4 1 2 1 o o 17 3 18 1 7 2 6 8 15 1m 1j 1 1 1 4
8 4 1 3 7 a 2 d 1 f 1 1m 1 4 4 8 1 k 2 q 1 2 2 1l 1 4 2 4 2 2 3 3 1 u 2 3 1 b 2 1l 1 4 5 1 2 4 1 k 2 m 6
1 1 1m 1 2 1 1 4 8 1 7 2 b 2 u 1 1p 1 c 1 1e 1 3 1 1j 1 1 3 5 3 1 4 7 2 b 2 t 1 1m 1 2 1 6 1 5 2 k 2 s 2
1l 2 4 4 8 1 k 2 t 1 20 1 7 3 1 1 2i 1 2 7 b 9 2q 1 2 9 9 1 1 7 21 2 r 1 1 1 1 1 1j e 1 5 1 2 5 b 1 10 9
1 2u 4 1 6 1 2 2 2 p 2 4 3 g 4 d 1 2 2 6 1 f 1 2m 1 gw 3 qa 3 t 2 u 2 u 2 1s 2 1 7 8 1 2 b 3 1 5 1 19 5
1f 1 1t 2 y 1 3a 3 4 2 9 1 6 3 63 2 2 1 1m 1 1 7 1 1 1 1 2 8 6 a 2 1 13 1 8 v 1d 4 1c 1 1 5 1 1 5 1 14 9
c 2 w 4 2 2 1 3 1k 1 1 2 3 1 1 3 1m 8 2 2 1s 6 2a 3 1 d 1 7 4 1 6 1 3 2 1e 1r d 1 y 2t cd 1 1 3 b 3 d 3 d
3 d 2 c 5 8 2 a 1 2 1 2 5 1d 5 1 a 1 1 d 1 g d 1f x 2a3 2 35 3 3h 1 f 1 2o w 1b 1 d1 1 10 4 3 5 5 1 2l 6
2l 3 lxy 1 yq 6 7i 1 2q 4 1 a 1 1 s 4 28 2 e y 26 1 n 3 2v 3 3 2 8 1 3 1 4 1 p 2 5 1 47 2 q i d 1 12 8 p
b 1a 3 1c 1 2 4 2 2 h 1 l 2 1u 6 2 2 2 2 c 1 8 1 z 1 b 1 1f 1 1 3 2 2 5 2 1 1 r 1 e 2 5 2 1 1 2s 5 9 3 3d
1 2 1 4 1 fn4 1 43 h fx g 3 1 c g y 1 2 1 4p 1 7 1 6 1 b 1 z 1 1 1 1b 1 19 2 1v 1 l 3 e9 1 6a 1 45 5 sl 6
1 16 1 9 g6 3 1 2 5 4 14 3 4 1 4l 2 fx 4 ar 2 28 3 1y b 1d 4 3f 1 1i f 15 1 2 2 a 3 1d 4 2 2 2 1 4 1 a 1
1e 3 10 5 1 8 1q 1 c 2 1g 9 a 4 2 1 2n 3 2 1 1 2 6 1 2 1 4d 1 3 8 l 2 1l 2 3 1 11 7 3 5 5f 8 2 3 1 1 n 1
2c 6 1 1 4 2 1 2 6m 4 6 2 1 2 r 2 2d 8 2 1 1 2 2y 1 1 1 2 6 1 1 2t 3 2 4 1 5 77 9 1 2 74 2 1 1 4 1 40 4 2
2 4 1 w a 14 6 2 4 8 1 9 6 2 3 1a d 1 2 ba 7 1 6 1 1 2a m 2 7 1 2 1 2 3e 6 3 1 1 2 1 7 1 1 20 2 3 1 1 1
9n 2 b 2 1g 5 5 1 1 1 44t h 6 f asa 5 1n 7 9 4 sr 1 1r h 1s 2 1 2 cnf 4 1 7 1 2 2hq 2 1 4 3mk 1a 2 n f4 3
9 g 2 7 u 4 44 3 1iz 1j 4 1e 8 1 e 1 m 5 1 f 11s 7 1 h 2 7 1 2 1 5 5 1q x 1 4g e a8 1 1p 4 e3 5 rk 7 31 8
23z 5 gx6p 1 u 2o 3k 6o
`;

export const rightToLeft = `
15c r 4 6 17 w 1 a z 2 1 4 4 2j 1 1 f 2 7 2 a 6 g 1 1 u t 2h b 1 e 17 9 2 a m 4 1 9 1 3 1 n p 7 b 5 o 1 6
h 16 1cix 1 1vw 6 2 1 1 18 1 2 3 1 2 n a n 9 v 1t j 1 2 a m a q 1y 1k 6 2 1s 1 f 4 1 3 1 t 16 t 3 t z 8 1
s r 1i a m a j d i 32 21 1j 1f d 1f d 10 9o 16 6 2 26 t a 1 8 m 16 i 1a l r n 16o9 5h 1n 1w 7 1 4 a
`;

export const arabicNumber = `
19c a 1fwm a
`;

export const europeanNumber = `
1c a 1bq a
`;

export const nonspacing = `
lc 1s 2 1 2 a 1 w 7n 5 7d 19 1 1 1 2 1 2 1 1 20 b 1c l g 1 2t 7 2 6 2 2 1 4 z 1 u r 2j b 1m 9 9 1 o 4 1 9
1 3 1 5 17 3 1o 8 16 o 1 w 1j 1 1 1 4 8 4 1 3 7 a 2 t 1 1m 1 4 4 8 1 k 2 q 1 2 2 1l 1 4 2 4 2 2 3 3 1 u 2
3 1 b 2 1l 1 4 5 1 2 4 1 k 2 m 6 1 1 1m 1 2 1 1 4 8 1 7 2 b 2 u 1 1p 1 c 1 1e 1 3 1 1j 1 1 3 5 3 1 4 7 2
b 2 t 1 1m 1 f 2 k 2 s 2 1l 2 4 4 8 1 k 2 t 1 20 1 7 3 1 1 2i 1 2 7 c 8 2q 1 2 9 b 7 21 2 r 1 1 1 1 1 1j
2 1 1 5 5 1 1 1 3 1 2 5 6 1 4 1 4 1 4 1 4 1 4 1 c 1 3 9 1 2u 4 1 6 1 2 2 2 p 2 4 3 g 4 d 1 2 2 6 1 f 1 jj
3 qa 3 t 2 u 2 u 2 1v 7 8 1 2 b 9 1 4n 2 y 1 3a 3 4 2 9 1 6 3 63 2 2 1 1m 1 1 7 1 1 1 1 2 8 6 a 2 1 1c e
1 g 1d 4 1c 1 1 5 1 1 5 1 14 9 c 2 w 4 2 2 1 3 1k 1 1 2 3 1 1 3 1m 8 2 2 48 3 1 d 1 7 4 1 6 1 3 2 5i 1s
k0 d 4 1 3 c 2da 3 3x 1 2o w fe 4 2z 2 n9w 1 4 a w 2 28 2 7k 1 3 1 4 1 p 2 5 1 47 2 q i d 1 12 8 p b 1a 3
1c 1 2 4 2 2 13 1 1v 6 2 2 2 2 c 1 8 1 1b 1 1f 1 1 3 2 2 5 2 1 1 16 2 8 1 6m 1 2 1 4 1 fn4 1 ld g r1 1 6a
1 45 5 1ae 3 1 2 5 4 14 3 4 1 4l 2 fx 4 ar 2 28 3 1y b 1d 4 3f 1 1i f 15 1 2 2 a 3 1d 4 2 2 7 1 1p 3 10 5
1 8 1q 1 c 2 1g 9 a 4 2 1 2n 3 2 1 1 2 6 1 2 1 4d 1 3 8 l 2 1l 2 3 1 11 7 3 5 5f 8 2 3 1 1 n 1 2c 6 1 1 4
2 1 2 6m 4 6 2 1 2 r 2 2d 8 2 1 1 2 2y 1 1 1 2 6 1 1 2t 3 2 4 1 5 77 9 1 2 74 2 1 1 4 1 40 4 2 2 4 1 w 6
2 2 14 6 2 4 8 1 9 6 2 3 1a d 1 2 ba 7 1 6 2c m 2 7 1 2 1 2 3e 6 3 1 1 2 1 7 1 1 20 2 3 1 1 1 9n 2 b 2 1g
5 5 1 1 1 459 1 6 f asa 5 1n 7 t4 1 1r 4 29 1 f5k 2 3mp 1a 2 n f4 3 h 8 2 7 u 4 44 3 1iz 1j 4 1e 8 1 e 1
m 5 1 f 11s 7 1 h 2 7 1 2 1 5 2s 1 4g 7 af 1 1p 4 e4 4 rk 7 31 7
`;

export const neutral = `
x f a 7 q 6 q 4 1k 1 e9 2 b a s 1 3s 1 5na 2 2sh 1 jv 1 n7n 1 47 9 2w 1
`;

export const virama = `
1u5 1 3j 1 3j 1 3j 1 3j 1 3j 1 3j 1 3j 1 31 2 g 1 3g 1 33 1 3j 1 5l 1 50 2 1cp 2 u 1 4d 1 i5 1 6b 1 2t 2
1y 2 3gr 1 o7a 1 11 1 47 1 3y 1 30 1 8l 1 6u 1 imp 1 16u 1 15 1 e 1 1l 1 3d 2 3v 1 38 1 50 1 2q 1 6s 1 3j
1 70 1 3j 1 3a 1 38 1 7h 1 77 2 4h 1 2b 1 i 1 29 1 bp 1 78 2 29 1 bt 2
`;

export const joinsNext = `
17k 1 5 1 1 1 1 5 4 d 1 7 1 2 z 2 8 g i 12 1 2 9 1 1 1 1 2 14 3 2 1 i 3 5 4 1 9 1 1 1 1 1 2 v b 3 f 2 4 1
1 2 3 2 6 22 x 2e 5 2 1 1 a 1 1 a 1 1 4 2 1 t 1 2 5 i a 5 2 2 6 1 f 30e 1 o 2h e y 1 1 sd1 1f jf1 5 8 1 5
a 1 3 a 4 41 1 1 1 3 3 1 2 1 1 2 1 s 2 9d y 1 1 ek 3 1 h c 3 s 4 2 c 1a 1 1 2 4 1 2 2 1 2 1 1 2 1 5 2
16wk 1w
`;

export const joinsPrevious = `
17k 1 1 u 1 a z 2 1 3 1 2n 1 1 o 2 a 3 2 1 g 1 1 u t 1f 22 x 2d p 7 1 1 4 1 4 5 j 3 1 2 6 h d 1 r 30e 1 o
2h e y 1 1 sd1 1e jf2 6 1 1 1 2 3 9 1 a 2 1 6 5 40 i n 6 9e z ek l c 4 r i 1a 1 1 5 1 8 1 4 4 2 16wl 1w
`;

export const transparent = `
4t 1 gi 34 7n 7 7b 19 1 1 1 2 1 2 1 1 20 b 1 1 1a l g 1 2t 7 2 6 2 2 1 4 x 1 1 1 u r 2j b 1m 9 9 1 o 4 1
9 1 3 1 5 17 3 1o 8 16 o 1 w 1j 1 1 1 4 8 4 1 3 7 a 2 t 1 1m 1 4 4 8 1 k 2 q 1 2 2 1l 1 4 2 4 2 2 3 3 1 u
2 3 1 b 2 1l 1 4 5 1 2 4 1 k 2 m 6 1 1 1m 1 2 1 1 4 8 1 7 2 b 2 u 1 1p 1 c 1 1e 1 3 1 1j 1 1 3 5 3 1 4 7
2 b 2 t 1 1m 1 2 1 6 1 5 2 k 2 s 2 1l 2 4 4 8 1 k 2 t 1 20 1 7 3 1 1 2i 1 2 7 c 8 2q 1 2 9 b 7 21 2 r 1 1
1 1 1 1j e 1 5 1 2 5 b 1 10 9 1 2u 4 1 6 1 2 2 2 p 2 4 3 g 4 d 1 2 2 6 1 f 1 jj 3 qa 3 t 2 u 2 u 2 1s 2 1
7 8 1 2 b 9 1 19 3 1 1 39 2 y 1 3a 3 4 2 9 1 6 3 63 2 2 1 1m 1 1 7 1 1 1 1 2 8 6 a 2 1 1c v 1d 4 1c 1 1 5
1 1 5 1 14 9 c 2 w 4 2 2 1 3 1k 1 1 2 3 1 1 3 1m 8 2 2 48 3 1 d 1 7 4 1 6 1 3 2 5i 1s ej 1 2 2 q 5 1d 5 5
6 2o x 2da 3 3x 1 2o w fe 4 2z 2 n9w 4 1 a w 2 28 2 7k 1 3 1 4 1 p 2 5 1 47 2 q i d 1 12 8 p b 1a 3 1c 1
2 4 2 2 13 1 1v 6 2 2 2 2 c 1 8 1 1b 1 1f 1 1 3 2 2 5 2 1 1 16 2 8 1 6m 1 2 1 4 1 fn4 1 kh g g g 5r 1 6x
3 e9 1 6a 1 45 5 1ae 3 1 2 5 4 14 3 4 1 4l 2 fx 4 ar 2 28 3 1y b 1d 4 3f 1 1i f 15 1 2 2 a 3 1d 4 2 2 7 1
1p 3 10 5 1 8 1q 1 c 2 1g 9 a 4 2 1 2n 3 2 1 1 2 6 1 2 1 4d 1 3 8 l 2 1l 2 3 1 11 7 3 5 5f 8 2 3 1 1 n 1
2c 6 1 1 4 2 1 2 6m 4 6 2 1 2 r 2 2d 8 2 1 1 2 2y 1 1 1 2 6 1 1 2t 3 2 4 1 5 77 9 1 2 74 2 1 1 4 1 40 4 2
2 4 1 w a 14 6 2 4 8 1 9 6 2 3 1a d 1 2 ba 7 1 6 1 1 2a m 2 7 1 2 1 2 3e 6 3 1 1 2 1 7 1 1 20 2 3 1 1 1
9n 2 b 2 1g 5 5 1 1 1 44t h 6 f asa 5 1n 7 t4 1 1r 4 29 1 f5k 2 1 4 3mk 1a 2 n f4 3 9 g 2 7 u 4 44 3 1iz
1j 4 1e 8 1 e 1 m 5 1 f 11s 7 1 h 2 7 1 2 1 5 2s 1 4g 7 af 1 1p 4 e4 4 rk 7 31 8 gzat 1 u 2o 3k 6o
`;

export const greek = `
og 4 1 3 2 4 1 1 4 1 1 1 1 3 1 1 1 k 1 1r e g 4yu 5 1e 5 4 5 2c 1 8w m 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2
1h 1 f 1 e 2 6 1 j 2 3 1 9 87 1 rb2 1 gyi 27 h 1 155r 1y
`;

export const hebrew = `
13l 1j 8 r 4 6 1cfc q 1 5 1 1 1 2 1 2 1 a
`;

export const kanaOrHan = `
96o q 1 2h c 5y 1b 1 1 1 p 9 e 4 5 2e 6 3 1 2i 2 3 6o g 5s 1b 1 2g 4o 534 1s g74 hkw a6 2 2y wc a 1 19
m6c 2 c 2 cn2 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 crc 1 2rj wyo w 37e 6 66 2 4g2 e 5rl f ha 1wi f2 15u 3t7 5
38g
`;

export const mark = `
lc 34 7n 7 7b 19 1 1 1 2 1 2 1 1 20 b 1c l g 1 2t 7 2 6 2 2 1 4 z 1 u r 2j b 1m 9 9 1 o 4 1 9 1 3 1 5 17
3 1o 8 16 o 1 x 1i 3 1 i 1 7 a 2 t 3 1k 1 1 7 2 2 2 3 9 1 a 2 q 1 2 3 1k 1 1 5 4 2 2 3 3 1 u 2 3 1 b 3 1k
1 1 8 1 3 1 3 k 2 m 6 1 3 1k 1 1 7 2 2 2 3 7 3 a 2 u 1 1n 5 3 3 1 4 9 1 14 5 1j 1 1 7 1 3 1 4 7 2 b 2 t 3
1k 1 1 7 1 3 1 4 7 2 b 2 f 1 c 4 1j 2 1 7 1 3 1 4 9 1 a 2 t 3 1y 1 4 6 1 1 1 8 i 2 1p 1 2 7 c 8 2q 1 2 9
b 7 21 2 r 1 1 1 1 1 4 2 1d k 1 2 5 b 1 10 9 1 2s k n 4 4 3 1 3 2 7 3 4 d c 1 1 a 4 jj 3 qa 4 s 3 t 2 u 2
1s w 9 1 19 3 1 1 39 2 y 1 3a c 4 c 63 5 1l a 1 t 2 1 1c v 1d 5 1b h 12 9 c 3 u d 1k e 1c k 48 3 1 l 4 1
6 1 2 3 5i 1s k0 x 2da 3 3x 1 2o w fe 6 2x 2 n9w 4 1 a w 2 28 2 7k 1 3 1 4 1 n 5 4 1 2b 2 1e i q i d 1 12
8 p d 18 4 1b e 10 1 1v e c 1 8 2 19 3 1e 1 1 3 2 2 5 2 1 1 15 5 5 2 6k 8 1 2 fn4 1 kh g g g r1 1 6a 1 45
5 1ae 3 1 2 5 4 14 3 4 1 4l 2 fx 4 ar 2 28 3 1y b 1d 4 3e 3 1h f 15 1 2 2 a 4 19 b 7 1 1p 3 10 e g 2 18 1
c 3 1c e 8 4 1 2 2k c 6 1 2 1 4d c l 4 1j 2 1 7 2 2 2 3 9 1 a 2 2 7 3 5 5c i n 1 29 k 6j 7 2 9 r 2 2a h
2y d 2t f 74 f 6t 6 1 2 2 4 1 1 1 2 3x 7 2 7 3 1 s a 14 7 1 4 8 1 9 b 1a g b9 8 1 8 2a m 1 e 3e 6 3 1 1 2
1 7 1 1 1u 5 1 2 1 5 9n 4 9 2 1 1 1c 7 3 5 459 1 6 f asa 5 1n 7 t4 1 1 1j 7 4 29 1 b 2 f57 2 3mp 1a 2 n
f2 5 3 6 8 8 2 7 u 4 44 3 1iz 1j 4 1e 8 1 e 1 m 5 1 f 11s 7 1 h 2 7 1 2 1 5 2s 1 4g 7 af 1 1p 4 e4 4 rk 7
31 7 gzhx 6o
`;

export const caseFolding = `
qq 1 1 1 34u 2e 1 0 2g 6 1 -8 1oo 1 1 -4su 1 1 1 -4st 1 1 1 -4sk 1 2 1 -4si 2 1 1 -4sj 1 1 1 -4sc 1 1 1
-4ro 1 1 1 r7n s88 28 1 -tzk
`;

export const longCaseFolding = `
ßss ẞss
`;

export const wordCharacter = `
1c a 7 q 6 q 1b 1 7 2 1 1 3 2 1 3 1 n 1 v 1 cq 4 c e 5 7 1 1 1 h 39 1 2 2 4 1 1 6 1 1 3 1 1 1 k 1 2b 1 3v
1 4t 1 12 2 1 6 15 8 19 1 1 1 2 1 2 1 1 8 r 4 4 t b 5 22 4 2u 1 8 2 a 1 j 2 1 g 1n 2 2t e 1i 4 1 2 1 2 1a
i s 4 b 5 o 1 6 9 22 1 3l 2 a 1 j 1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 c 2 6 2 1 1 1 2 3 1 6
4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 g b 3 1 9 1 3 1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2
a 9 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 a 1 7 a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c
4 5 3 3 1 4 2 1 6 1 e d d d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 8 7 1 4 1 8 1 3 1 n 1 a 1 5 2 9 1
3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 5 5 g 2 j 1 6 1 3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2
2 d 1m 5 f 1 a 13 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 w 1 n 2 6 k 1 1 1 1 1 1 4 a 1 10 4 k 1 i 1 10
9 1 1l 22 6 26 2 12 1 1 5 1 2 17 1 99 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 3
9 k 3 g g 2e 2 6 3 h8 2 h 1 q 5 23 3 b 7 m 9 m b k c d 1 3 1 2 c 2c 3 1 4 2 2 a 6 a h 3 1 b 6 2h 7 17 5
1y a v 1 c 4 c a 14 2 5 b 18 4 q 6 b 11 s 4 1r 1 t 2 b 6 a d 1 8 v 1d 25 3 a h 9 c 38 c 1k 8 a 3 1d 2 9 7
17 2 3 g 3 1 13 5 eu 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 7 1 1 3 3 1 7 3 4 2 6 4 d 5 3 1 7 37 2 2 6 5
b 6 d 1f x h 1 4 1 2 a 1 1 3 5 6 1 1 1 1 1 1 4 1 b 2 4 5 5 4 1 1 1m k6 1o 26 m hi u vg 6d 6 9 9 1 2 12 1
1 5 1 2 1k 7 1 f o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 w 1b 1 d1 3 p f 1 5 2 5 4 2e 2 2 2 3 1 2i 1 4 5 17 1
2m 3 4 a w 1c g w a u 8 1 f w a 13 f 8w 534 1s h3h 1v 1a 2 7h 3 s k 1f 1 a 1 37 11 9 2 2v 2 1s 5 2 1 1 1
5 o 1i 4 1 3 6 a 1g c 1y a a 6 o 3 1 1 1d 2 10 c t 3 1t e b 6 v 1 1j 9 e 2 a 6 n 3 21 o 3 2 g 2 5 a 6 2 6
2 6 9 7 1 7 1 17 1 e 6 3f 1 2 2 a 6 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 c 1 d 1 5 1 1 1 2 1 2 1 30 x a3 i
1s 2 1i 14 c 4 g g g 1s 5 1 3r j a 7 q 6 q b 2h 3 6 2 6 2 6 2 3 z c 1 q 1 j 1 2 1 f 2 e y 3f c 19 c 1l h
2 35 1 3m t 3 1d f s 4 10 9 u 5 17 5 u 2 10 4 8 1 5 16 4e 2 a 6 10 4 10 4 14 8 1g c b 1 f 1 7 1 2 1 b 1 f
1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 2 v 2 12 8 9 1c j 1 2 5 x 4 q 1y 1k 4 k 2 1e
1 2 5 8 1 3 1 t 2 3 4 a n v 1 w w 8 1 u 4 5 g 1i a m 2 r 5 q n 7 28 21 1j 1f d 1f 7 1a 8 a 86 v 1 16 1 2
3 2 23 17 8 11 r m 16 s k n 9 1z b 10 9 1o 7 1 d p 7 a 6 1h 1 a 4 4 8 10 2 1 9 1x 4 4 1 d 1 1 4 k b i 1
11 6 4 1q 7 1 1 1 4 1 f 1 a 7 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 23 5
a 4 4 u 1y 1 1 8 a 4m 1i 2 9 n 6 y 1t 3 1 b a 12 1l 7 a 1i r 2 f 4 c 4 7 55 1n 2t 2b c 8 2 1 2 8 1 2 1 u
1 2 2 9 c a 1y 8 2 1a 2 8 1 2 r 1r 8 1 8 22 3 1 i 21 7b 9 1 19 1 9 f t 5 u 2 m 1 e 21 7 1 2 1 18 3 1 1 2
1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m n 9 h 1 15 3 5 d a 2e 1 f l 17 pm 2u 33 h 5g 218 2p f ts g m 33e g7
6nt ft 7 v 1 a 6 27 1 a 6 u 2 5 b 1j 9 4 c a 1 7 1 l 5 j j4 2f 2x 23 4 1l 7 h 1s 2 1 2 b 2 e 4qg 8 ye 16
9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 3 2 3mp 1a 2 n f2 5 3 6 8 8 2 7 u 4 44 3 3f
k c k 30 p 3r 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 p 1 p 1 v 1
p 1 v 1 p 1 v 1 p 1 v 1 p 1 8 2 1e e8 1j 4 1e 8 1 e 1 m 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34
19 3 e 2 a 4 1 8x v h 1m d2 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a lz 1n 1 3 1 4 24 19 1 f 5e 4 1 r 1 2 1
1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h
5 3 1 5 1 h g4 d 25f a sm wyo w 37e 6 66 2 4g2 e 5rl f ha 1wi f2 15u 3t7 5 38g f9e8 6o
`;

export const unspaced = `
2rl 1m 5 f 1 a 13 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 80 22 6 26 1cy 2c 3 1 4 2 2 a 6 a 4qz 3 p d 3
5 2 5 4 2e 2 2 2 3 1 2i 1 4 42 4 2i g w a 2e a ae 534 1s g74 1y8 v 2p n 3 6 fi8 a6 2 2y wc 1m m6b 1 c 2
cn2 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 6pk i 8su wyo w 37e 6 66 2 4g2 e 5rl f ha 1wi f2 15u 3t7 5 38g
`;
