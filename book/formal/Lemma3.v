(* Lemma 3 of Balcan, Blum and Vempala (COLT 2015), as printed, is false. *)
From Coq Require Import Reals Lra Lia Psatz.
Require Import Angles.
Local Open Scope R_scope.

(* v lies in the span of the first k of the vectors a 0, a 1, ... *)
Definition in_span k (a : nat -> vec) (v : vec) :=
  exists c : nat -> R, forall j, v j = sum k (fun i => c i * a i j).
(* theta(u, span) >= g : every vector of the span is at least g away. *)
Definition apart n (u : vec) k a g :=
  forall v, in_span k a v -> nonzero n v -> g <= angle n u v.
(* theta(V, W) <= x : every vector of V is within x of one of W. *)
Definition within n k a b x :=
  forall u, in_span k a u -> nonzero n u ->
  exists v, in_span k b v /\ nonzero n v /\ angle n u v <= x.

(* The hypotheses of Lemma 3: a are the true, t the learned vectors. *)
Definition hypotheses n k (a t : nat -> vec) eps g :=
  0 < g <= PI / 2 /\ 0 <= eps <= g ^ 2 / (10 * INR k) /\
  (forall i, (i < k)%nat -> nonzero n (a i) /\ nonzero n (t i)) /\
  (forall i, (1 <= i < k)%nat -> apart n (t i) i t g) /\
  (forall i, (i < k)%nat -> angle n (a i) (t i) <= eps).
Definition Lemma3_printed := forall n k a t eps g,
  hypotheses n k a t eps g -> within n k a t (2 * INR k * eps / g).

(* The counterexample: k = 3 vectors of R^4 in whole numbers and d = 1/500. *)
Definition d := 1 / 500.
Definition vec4 x y z w : vec := fun j =>
  match j with 0 => x | 1 => y | 2 => z | 3 => w | _ => 0%R end%nat.
Definition true_ i := match i with
  0 => vec4 1 0 0 d | 1 => vec4 4 1 0 (-4 * d) | _ => vec4 0 4 1 (4 * d)
  end%nat.
Definition learned i := match i with
  0 => vec4 1 0 0 0 | 1 => vec4 4 1 0 0 | _ => vec4 0 4 1 0 end%nat.
Definition gamma := atan (1 / 4).
Definition eps := atan d.

Lemma enclosures : 0 < gamma <= PI / 2 /\ 0 < eps <= gamma ^ 2 / 30 /\
  3 / 2 * (6 * eps / gamma) <= atan 0.0737.
Proof.
  pose proof (atan_ge (1 / 4)); pose proof (atan_bound (1 / 4)).
  pose proof (atan_le (1 / 500)); pose proof (atan_ge (1 / 500)).
  pose proof (atan_ge 0.0737); unfold gamma, eps, d in *.
  assert (0.244978 <= atan (1 / 4)) by lra.
  split; [lra|split; [nra|]].
  apply Rmult_le_reg_r with (atan (1 / 4)); [lra|].
  apply Rle_trans with (9 * atan (1 / 500)); [right; field; lra|nra].
Qed.

Ltac coordinates := unfold nonzero, dot in *; cbn -[IZR pow] in *; unfold d in *.

Lemma hypotheses_hold : hypotheses 4 3 true_ learned eps gamma.
Proof.
  destruct enclosures as (G & E & _); unfold hypotheses; cbn [INR].
  split; [lra|split; [lra|split; [|split]]].
  - intros [|[|[|i]]] H; try lia; split; coordinates; lra.
  - intros [|[|[|i]]] H; try lia; intros v [c Hc] Hv;
      refine (angle_ge 4 _ v (1 / 4) _ Hv _ _); try lra;
      coordinates; try lra; rewrite !Hc; cbn -[IZR pow];
      pose proof (pow2_ge_0 (c 0%nat + 4 * c 1%nat)); clear Hc Hv; nra.
  - intros [|[|[|i]]] H; try lia;
      refine (angle_le 4 _ _ (1 / 500) _ _ _ _ _); coordinates; lra.
Qed.

(* The steepest vector of the true span is too far from every learned one. *)
Definition steep := vec4 1 (-8) 36 (1361 * d).

Lemma conclusion_fails : in_span 3 true_ steep /\ nonzero 4 steep /\
  apart 4 steep 3 learned (3 / 2 * (2 * INR 3 * eps / gamma)).
Proof.
  split; [|split].
  - exists (fun i => match i with 0 => 609%R | 1 => (-152)%R | _ => 36%R end%nat).
    intros [|[|[|[|j]]]]; cbn -[IZR]; unfold d; field.
  - coordinates; lra.
  - intros v [c Hc] Hv; apply Rle_trans with (atan 0.0737).
    + cbn [INR]; replace (2 * (1 + 1 + 1)) with 6 by ring.
      apply enclosures.
    + refine (angle_ge 4 _ v 0.0737 _ Hv _ _); try lra; coordinates; [lra|].
      assert (v 3%nat = 0) as -> by (rewrite Hc; cbn -[IZR]; ring).
      set (x := v 0%nat); set (y := v 1%nat); set (z := v 2%nat).
      pose proof (pow2_ge_0 (y + 8 * x)); pose proof (pow2_ge_0 (z - 36 * x)).
      pose proof (pow2_ge_0 (8 * z + 36 * y)); nra.
Qed.

Theorem Lemma3_false : ~ Lemma3_printed.
Proof.
  intros L; destruct conclusion_fails as (S1 & S2 & S3).
  destruct (L _ _ _ _ _ _ hypotheses_hold _ S1 S2) as (v & V1 & V2 & V3).
  specialize (S3 v V1 V2).
  destruct enclosures as (G & E & _); cbn [INR] in *.
  assert (0 < eps / gamma) by (apply Rdiv_lt_0_compat; lra).
  unfold Rdiv in *; lra.
Qed.
Print Assumptions Lemma3_false.
