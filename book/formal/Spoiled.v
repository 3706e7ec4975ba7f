(* Three statements that were spoiled on purpose are false. *)
From Coq Require Import Reals Lra Lia.
From mathcomp Require Import all_ssreflect.
Require Import Algorithm3 Lemma4 Canonical Angles Lemma3 Vectors Scalar Lemma2.
Local Open Scope R_scope.

(* A constant: 3/2 in place of pi/2 in the scalar inequality. *)
Theorem scalar_spoiled : ~ forall a b, 0 <= a <= PI / 2 -> 0 <= b <= PI / 2 ->
  a * b <= 3 / 2 * asin (sin a * sin b).
Proof. intros H; pose proof PI2_3_2; apply scalar_constant in H; lra. Qed.

(* A hypothesis: Lemma 2 with a separation from the first 0 vectors only. *)
Theorem Lemma2_spoiled : ~ forall n k a b t beta, nonzero n b -> nonzero n t ->
  0 < beta <= PI / 2 -> apart n t 0 a beta ->
  within n (S k) (with_last k a b) (with_last k a t) (PI / 2 * (angle n b t / beta)).
Proof.
  intros H; pose proof PI_RGT_0.
  pose (e := vec4 1 0 0 0); pose (b := vec4 4 1 0 0); pose (t := vec4 4 0 1 0).
  (* the span of e and b has the second axis, which is a right angle away *)
  destruct (H 3%nat 1%nat (fun _ => e) b t (PI / 2)) with (u := vec4 0 1 0 0)
    as (v & [c Hc] & Nv & A).
  1-2: unfold nonzero, dot; cbn; lra.
  1: lra.
  1: { intros v [c Hc] Nv; unfold nonzero in Nv; rewrite (dot_zero 3 v) in Nv;
       [lra|exact Hc]. }
  1: { exists (fun i => match i with 0%nat => -4 | _ => 1 end); intros j.
       destruct j as [|[|[|[|j]]]]; cbn; lra. }
  1: unfold nonzero, dot; cbn; lra.
  assert (D : dot 3 (vec4 0 1 0 0) v = 0) by (unfold dot; cbn; rewrite !Hc; cbn; ring).
  unfold angle at 1 in A; rewrite D in A; unfold Rdiv at 1 in A.
  rewrite Rmult_0_l acos_0 in A.
  (* but b and t are at most half a right angle apart *)
  assert (angle 3 b t <= atan 1).
  { apply angle_le; unfold nonzero, dot; cbn; lra. }
  rewrite atan_1 in H1.
  replace (PI / 2 * (angle 3 b t / (PI / 2))) with (angle 3 b t) in A by (field; lra).
  lra.
Qed.

(* A strict sign: fewer than k pieces in Lemma 4. *)
Theorem Lemma4_spoiled : ~ forall (V : finType) (TS : {set {set V}}) k
  (m : 'I_k -> {set V}) (y : 'I_k -> V), (forall i j, (y i \in m j) = (i == j)) ->
  (forall T, T \in TS -> exists J : {set 'I_k}, T = \bigcup_(j in J) m j) ->
  forall P, run TS P -> (size P < k)%N.
Proof.
move=> H; have [hP hR] := algorithm3_stops (set0 : {set {set bool}}).
have [m [y [h1 h2]]] := Lemma4_reached hP hR.
by have := H _ _ _ m y h1 h2 _ hP; rewrite ltnn.
Qed.
Print Assumptions scalar_spoiled.
Print Assumptions Lemma2_spoiled.
Print Assumptions Lemma4_spoiled.
