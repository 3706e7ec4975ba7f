(* The scalar inequality in the proof of Lemma 2 of the paper. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

(* A function with a derivative >= 0 inside (0, b) does not fall on [0, b]. *)
Lemma rising (f f' : R -> R) b :
  (forall x, 0 <= x <= b -> is_derive f x (f' x)) ->
  (forall x, 0 < x < b -> 0 <= f' x) -> forall x, 0 <= x <= b -> f 0 <= f x.
Proof.
  intros D S x Hx; destruct (Req_dec x 0) as [->|N]; [lra|].
  destruct (MVT_cor2 f f' 0 x) as (c & H1 & H2); [lra| |].
  - intros c Hc; apply is_derive_Reals, D; lra.
  - assert (0 <= f' c) by (apply S; lra). nra.
Qed.

Section Scalar.
Variable c : R.                 (* below, c = 2 beta / pi *)
Hypothesis Hc : 0 <= c <= 1.

(* c cos(c x) sin x >= sin(c x) cos x: the slope of sin(c x) / sin x. *)
Lemma slope x : 0 <= x <= PI / 2 ->
  0 <= c * cos (c * x) * sin x - sin (c * x) * cos x.
Proof.
  pose (f x := c * cos (c * x) * sin x - sin (c * x) * cos x).
  intros Hx; change (0 <= f x).
  replace 0 with (f 0) by (unfold f; rewrite Rmult_0_r, !sin_0; ring).
  apply (rising f (fun x => (1 - c ^ 2) * (sin (c * x) * sin x)) (PI / 2)).
  - intros y _; unfold f; auto_derive; trivial; ring.
  - intros y Hy; pose proof PI_RGT_0.
    assert (0 <= sin (c * y)) by (apply sin_ge_0; nra).
    assert (0 <= sin y) by (apply sin_ge_0; lra).
    apply Rmult_le_pos; [nra | now apply Rmult_le_pos].
  - trivial.
Qed.

(* So sin(c x) / sin x is largest at pi/2. *)
Lemma sines a : 0 < a <= PI / 2 -> sin (c * a) <= sin a * sin (c * (PI / 2)).
Proof.
  intros Ha; pose proof PI_RGT_0.
  assert (P : forall x, a <= x <= PI / 2 -> 0 < sin x) by
    (intros x Hx; apply sin_gt_0; lra).
  pose (f x := sin (c * (a + x)) / sin (a + x)).
  enough (f 0 <= f (PI / 2 - a)) as H1.
  { unfold f in H1; rewrite Rplus_0_r in H1.
    replace (a + (PI / 2 - a)) with (PI / 2) in H1 by ring.
    rewrite sin_PI2 in H1; apply (Rmult_le_compat_r (sin a)) in H1.
    - unfold Rdiv in H1 at 1; rewrite Rmult_assoc, Rinv_l in H1; [lra|].
      apply Rgt_not_eq, P; lra.
    - left; apply P; lra. }
  apply (rising f (fun x => (c * cos (c * (a + x)) * sin (a + x)
    - sin (c * (a + x)) * cos (a + x)) / sin (a + x) ^ 2) (PI / 2 - a)); [..|lra].
  - intros x Hx; assert (0 < sin (a + x)) by (apply P; lra).
    unfold f; auto_derive; [lra|field; lra].
  - intros x Hx; assert (0 < sin (a + x)) by (apply P; lra).
    apply Rmult_le_pos; [apply slope; lra|].
    left; apply Rinv_0_lt_compat, pow_lt; trivial.
Qed.
End Scalar.

Theorem scalar_inequality a b : 0 <= a <= PI / 2 -> 0 <= b <= PI / 2 ->
  a * b <= PI / 2 * asin (sin a * sin b).
Proof.
  intros Ha Hb; pose proof PI_RGT_0.
  assert (0 <= sin a <= 1) by
    (split; [apply sin_ge_0; lra | apply SIN_bound]).
  assert (0 <= sin b <= 1) by
    (split; [apply sin_ge_0; lra | apply SIN_bound]).
  set (c := b / (PI / 2)).
  assert (B : b = c * (PI / 2)) by (unfold c; field; lra).
  assert (Hc : 0 <= c <= 1) by nra.
  replace (a * b) with (PI / 2 * (c * a)) by (rewrite B; ring).
  apply Rmult_le_compat_l; [lra|]; apply Rnot_lt_le; intros L.
  assert (N : sin a * sin b < sin (c * a)).
  { rewrite <- (sin_asin (sin a * sin b)) by nra.
    pose proof (asin_bound (sin a * sin b)); apply sin_increasing_1; nra. }
  destruct (Req_dec a 0) as [->|Ha0].
  - rewrite Rmult_0_r, sin_0 in N; lra.
  - pose proof (sines c Hc a); rewrite <- B in *; lra.
Qed.

(* No smaller constant will do: both sides meet at the right angle. *)
Theorem scalar_constant c :
  (forall a b, 0 <= a <= PI / 2 -> 0 <= b <= PI / 2 ->
    a * b <= c * asin (sin a * sin b)) -> PI / 2 <= c.
Proof.
  intros H; pose proof PI_RGT_0; specialize (H (PI / 2) (PI / 2)).
  rewrite sin_PI2, Rmult_1_r, asin_1 in H; nra.
Qed.
Print Assumptions scalar_inequality.
Print Assumptions scalar_constant.
